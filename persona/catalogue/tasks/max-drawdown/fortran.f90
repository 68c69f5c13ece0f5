! snippet:usage
! snippet:doc https://fortran-lang.org/learn/quickstart/derived_types/ Derived types
! snippet:prints 25.0 % from day 3 to day 5
! snippet:prints 0.0 %
! snippet:end
module drawdowns
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none

  type :: drawdown
    real(real64) :: loss = 0 ! as a share of the peak, 0 to 1
    integer :: peak = 1, trough = 1
  end type drawdown
contains
  !> The largest relative fall from an earlier high. There is one value at least, and all are above zero.
  pure type(drawdown) function largest_drawdown(values) result(worst)
    real(real64), intent(in) :: values(:)
    integer :: day, high

    high = 1
    do day = 2, size(values)
      if (values(day) > values(high)) high = day
      associate (loss => 1 - values(day) / values(high))
        if (loss > worst%loss) worst = drawdown(loss, high, day)
      end associate
    end do
  end function largest_drawdown
end module drawdowns
! snippet:usage
program main
  use drawdowns
  implicit none
  type(drawdown) :: d
  d = largest_drawdown([100.0_real64, 90.0_real64, 120.0_real64, 110.0_real64, 90.0_real64, 130.0_real64, 117.0_real64])
  print '(f0.1, a, i0, a, i0)', 100 * d%loss, " % from day ", d%peak, " to day ", d%trough
  d = largest_drawdown([1.0_real64, 2.0_real64])
  print '(f3.1, a)', 100 * d%loss, " %"
end program main
