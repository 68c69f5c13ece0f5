! snippet:check
! snippet:doc https://fortran-lang.org/learn/intrinsics/numeric/ CEILING
! snippet:prints median 50.0, p95 95.0, p99 99.0 ms
! snippet:prints one value: 7.0
! snippet:end
module percentiles
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains
  !> The smallest measured value that at least p percent (above 0, up to 100) of all values do not exceed.
  pure real(real64) function percentile(values, p)
    real(real64), intent(in) :: values(:), p
    real(real64) :: sorted(size(values)), moving
    integer :: i, j

    if (size(values) == 0 .or. p <= 0 .or. p > 100) error stop "percentile: no values, or p outside of (0, 100]"
    sorted = values
    do i = 2, size(sorted) ! by insertion: fine for some thousand values
      moving = sorted(i)
      do j = i - 1, 1, -1
        if (sorted(j) <= moving) exit
        sorted(j + 1) = sorted(j)
      end do
      sorted(j + 1) = moving
    end do
    percentile = sorted(max(1, ceiling(p * size(sorted) / 100 - 1e-7_real64))) ! 99.9 * 41000 / 100 is above 40959
  end function percentile
end module percentiles
! snippet:check
program main
  use percentiles
  implicit none
  integer :: i
  real(real64) :: ms(100)
  ms = [(real(mod(i * 37, 100) + 1, real64), i = 1, 100)]
  print '(3(a, f0.1), a)', "median ", percentile(ms, 50.0_real64), &
    ", p95 ", percentile(ms, 95.0_real64), ", p99 ", percentile(ms, 99.0_real64), " ms"
  if (percentile(ms, 55.0_real64) /= 55) error stop "the 55th of 100"
  if (percentile([(real(i, real64), i = 1, 41000)], 99.9_real64) /= 40959) error stop "the 40959th of 41000"
  if (percentile(ms, 1e-9_real64) /= 1) error stop "the first"
  print '(a, f0.1)', "one value: ", percentile([7.0_real64], 1.0_real64)
end program main
