! snippet:usage
! snippet:doc https://fortran-lang.org/learn/quickstart/organising_code/ Procedures and modules
! snippet:prints at par: 5.0000 %
! snippet:prints at 90: 7.4697 %
! snippet:prints a zero at 1: 58.4893 %
! snippet:prints a century at 446: -1.0000 %
! snippet:end
module bonds
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains
  !> The yearly yield at which a bond's payments are worth its price. Coupon and price are per 100 of face value.
  pure real(real64) function yield_of(price, coupon, years) result(y)
    real(real64), intent(in) :: price, coupon
    integer, intent(in) :: years
    real(real64) :: low, high, worth, slope, pays
    integer :: round, year

    if (years < 1) error stop "yield_of: a bond runs for a year or more"
    low = -0.9_real64; high = 10.0_real64; y = 0.05_real64
    do round = 1, 1000
      worth = 0; slope = 0
      do year = 1, years
        pays = merge(coupon + 100, coupon, year == years)
        worth = worth + pays * (1 + y) ** (-year)
        slope = slope - year * pays * (1 + y) ** (-year - 1)
      end do
      if (abs(worth - price) < 1e-9_real64) return
      if (worth > price) then; low = y; else; high = y; end if
      y = y - (worth - price) / slope                         ! Newton's step
      if (y <= low .or. y >= high) y = (low + high) / 2       ! it left the bracket: halve that instead
    end do
    error stop "yield_of: no yield between -90 % and 1000 %"
  end function yield_of
end module bonds
! snippet:usage
program main
  use bonds
  implicit none
  print '(a, f0.4, a)', "at par: ", 100 * yield_of(100.0_real64, 5.0_real64, 10), " %"
  print '(a, f0.4, a)', "at 90: ", 100 * yield_of(90.0_real64, 5.0_real64, 5), " %"
  print '(a, f0.4, a)', "a zero at 1: ", 100 * yield_of(1.0_real64, 0.0_real64, 10), " %"
  print '(a, f0.4, a)', "a century at 446: ", 100 * yield_of(446.399805232847_real64, 1.0_real64, 100), " %"
end program main
