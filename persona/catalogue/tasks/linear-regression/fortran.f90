! snippet:usage
! snippet:doc https://gcc.gnu.org/onlinedocs/gfortran/DOT_005fPRODUCT.html DOT_PRODUCT
! snippet:prints y = 2.00 x + 1.00, R squared 1.000
! snippet:prints y = 0.86 x + 1.40, R squared 0.941
! snippet:end
module regression
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none

  type :: line
    real(real64) :: slope, intercept, r_squared
  end type line
contains
  !> The line through the points (x, y) with the least squared error in y.
  pure type(line) function fit(x, y) result(l)
    real(real64), intent(in) :: x(:), y(:)
    real(real64) :: dx(size(x)), dy(size(x)), variation

    if (size(x) /= size(y) .or. size(x) < 2) error stop "fit: two lists of the same length, of two points or more"
    dx = x - sum(x) / size(x) ! deviations first: sums of squares of large values would lose digits
    dy = y - sum(y) / size(y)
    variation = dot_product(dx, dx)
    if (all(x == x(1))) error stop "fit: all x are equal"
    l%slope = dot_product(dx, dy) / variation
    l%intercept = sum(y) / size(y) - l%slope * sum(x) / size(x)
    l%r_squared = 1
    if (any(y /= y(1))) l%r_squared = min(1.0_real64, l%slope * dot_product(dx, dy) / dot_product(dy, dy))
  end function fit
end module regression
! snippet:usage
program main
  use regression
  implicit none
  call show(fit([1.0_real64, 2.0_real64, 3.0_real64], [3.0_real64, 5.0_real64, 7.0_real64]))
  call show(fit([1.0_real64, 2.0_real64, 3.0_real64, 4.0_real64], [2.0_real64, 3.5_real64, 4.0_real64, 4.7_real64]))
contains
  subroutine show(l)
    type(line), intent(in) :: l
    print '(a, f4.2, a, f4.2, a, f5.3)', "y = ", l%slope, " x + ", l%intercept, ", R squared ", l%r_squared
  end subroutine show
end program main
