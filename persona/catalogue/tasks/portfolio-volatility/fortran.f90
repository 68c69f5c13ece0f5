! snippet:usage
! snippet:doc https://gcc.gnu.org/onlinedocs/gfortran/MATMUL.html MATMUL
! snippet:prints a year: 14.31 %
! snippet:prints shares: 0.756 0.244
! snippet:end
module portfolio
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains
  !> Volatility of a portfolio in a year, from the covariance of daily returns, and each position's share
  !> of it; the shares add up to one.
  pure subroutine risk(weights, covariance, volatility, shares)
    real(real64), intent(in) :: weights(:), covariance(:, :)
    real(real64), intent(out) :: volatility, shares(size(weights))
    real(real64), parameter :: trading_days = 252
    real(real64) :: variance, marginal(size(weights))

    if (any(shape(covariance) /= size(weights))) error stop "risk: covariance is not weights by weights"
    marginal = matmul(covariance, weights)
    variance = dot_product(weights, marginal)
    if (variance <= 0) error stop "risk: a portfolio without risk has no shares of it"
    volatility = sqrt(trading_days * variance)
    shares = weights * marginal / variance
  end subroutine risk
end module portfolio
! snippet:usage
program main
  use portfolio
  implicit none
  real(real64) :: volatility, shares(2), covariance(2, 2)
  covariance = reshape([1.44e-4_real64, 4.0e-5_real64, 4.0e-5_real64, 0.64e-4_real64], [2, 2])
  call risk([0.6_real64, 0.4_real64], covariance, volatility, shares)
  print '(a, f5.2, a)', "a year: ", 100 * volatility, " %"
  print '(a, 2(1x, f5.3))', "shares:", shares
  if (abs(sum(shares) - 1) > 1e-12_real64) error stop "shares"
end program main
