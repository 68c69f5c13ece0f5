! snippet:doc https://fortran-lang.org/learn/quickstart/derived_types/ Derived types
! snippet:prints fails: 2100
! snippet:prints 1 of 4 failed
program leap_years_test
  implicit none

  type :: test_case
    integer :: year
    logical :: leap
  end type test_case

  type(test_case), parameter :: cases(*) = [ &
    test_case(2024, .true.), test_case(2023, .false.), test_case(2000, .true.), test_case(2100, .false.)]
  integer :: i, failed

  failed = 0
  do i = 1, size(cases)
    if (is_leap(cases(i)%year) .eqv. cases(i)%leap) cycle
    failed = failed + 1
    print '(a, i0)', "fails: ", cases(i)%year ! and go on: one run tells about all
  end do
  if (failed > 0) print '(i0, a, i0, a)', failed, " of ", size(cases), " failed"
  ! snippet:check
  if (failed == 1) stop
  ! snippet:end
  if (failed > 0) error stop 1
contains
  !> Forgets the centuries: the table finds it.
  pure logical function is_leap(year)
    integer, intent(in) :: year
    is_leap = mod(year, 4) == 0
  end function is_leap
end program leap_years_test
