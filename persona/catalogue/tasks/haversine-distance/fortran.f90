! snippet:usage
! snippet:doc https://fortran-lang.org/learn/intrinsics/math/ Mathematical intrinsics
! snippet:prints 343.6 km
! snippet:prints 20015.1 km
! snippet:end
module geography
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  real(real64), parameter :: earth_radius_km = 6371.0088_real64
contains
  !> The distance in km between places given by latitude and longitude in degrees. Elemental: works on whole arrays too.
  elemental real(real64) function distance(latitude1, longitude1, latitude2, longitude2)
    real(real64), intent(in) :: latitude1, longitude1, latitude2, longitude2
    real(real64), parameter :: radian = acos(-1.0_real64) / 180
    real(real64) :: h

    h = sin((latitude2 - latitude1) * radian / 2) ** 2 &
      + cos(latitude1 * radian) * cos(latitude2 * radian) * sin((longitude2 - longitude1) * radian / 2) ** 2
    if (h > 1) h = 1 ! rounding, for opposite points; min would hide a NaN
    distance = 2 * earth_radius_km * asin(sqrt(h))
  end function distance
end module geography
! snippet:usage
program main
  use geography
  implicit none
  print '(f0.1, a)', distance(51.5074_real64, -0.1278_real64, 48.8566_real64, 2.3522_real64), " km"
  print '(f0.1, a)', distance(0.0_real64, 0.0_real64, 0.0_real64, 180.0_real64), " km"
end program main
