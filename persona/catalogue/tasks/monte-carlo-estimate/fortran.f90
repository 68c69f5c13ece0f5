! snippet:usage
! snippet:doc https://gcc.gnu.org/onlinedocs/gfortran/RANDOM_005fNUMBER.html RANDOM_NUMBER
! snippet:prints close: T T
! snippet:prints the same again: T
! snippet:end
module monte_carlo
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains
  !> Estimates pi from n random points in a square, with the standard error of the estimate.
  !> The seed makes the run repeatable with the same compiler.
  subroutine estimate_pi(n, seed, estimate, error)
    integer, intent(in) :: n, seed
    real(real64), intent(out) :: estimate, error
    real(real64) :: point(2), p
    integer :: size_of_seed, inside, i

    call random_seed(size=size_of_seed)
    call random_seed(put=[(seed + 37 * i, i = 1, size_of_seed)])
    inside = 0
    do i = 1, n ! one point at a time: an array of all would need memory, with some compilers on the stack
      call random_number(point)
      if (sum(point ** 2) <= 1) inside = inside + 1
    end do
    p = real(inside, real64) / n ! the share inside the quarter circle
    estimate = 4 * p
    error = 4 * sqrt(p * (1 - p) / n)
  end subroutine estimate_pi
end module monte_carlo
! snippet:usage
program main
  use monte_carlo
  implicit none
  real(real64) :: first, second, error, again
  call estimate_pi(10000, 1, first, error)
  call estimate_pi(40000, 1, second, again)
  print '(a, 2(1x, l1))', "close:", abs(first - acos(-1.0_real64)) < 4 * error, abs(error / again - 2) < 0.1_real64
  call estimate_pi(10000, 1, second, error)
  print '(a, l1)', "the same again: ", first == second
end program main
