! snippet:check
! snippet:doc https://fortran-lang.org/learn/intrinsics/array/ Array intrinsics
! snippet:prints area 12.0, centre 1.5 2.0, anticlockwise T
! snippet:prints area 12.0, centre 1.5 2.0, anticlockwise F
! snippet:end
module polygons
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
contains
  !> Area and centre of a polygon without crossings. corners(:, i) is x and y of corner i, in metres.
  !> The area is negative if the corners run clockwise.
  pure subroutine measure(corners, area, centre)
    real(real64), intent(in) :: corners(:, :)
    real(real64), intent(out) :: area, centre(2)
    real(real64) :: next(2, size(corners, 2)), cross(size(corners, 2))

    next = cshift(corners, shift=1, dim=2) ! the last corner's next one is the first
    cross = corners(1, :) * next(2, :) - next(1, :) * corners(2, :)
    area = sum(cross) / 2
    if (area == 0) error stop "measure: the corners are on one line"
    centre(1) = sum((corners(1, :) + next(1, :)) * cross) / (6 * area)
    centre(2) = sum((corners(2, :) + next(2, :)) * cross) / (6 * area)
  end subroutine measure
end module polygons
! snippet:check
program main
  use polygons
  implicit none
  real(real64) :: box(2, 4), area, centre(2)
  integer :: turn
  box = reshape([0.0_real64, 0.0_real64, 3.0_real64, 0.0_real64, 3.0_real64, 4.0_real64, 0.0_real64, 4.0_real64], [2, 4])
  do turn = 1, 2
    call measure(box, area, centre)
    print '(a, f0.1, a, f0.1, 1x, f0.1, a, l1)', "area ", abs(area), ", centre ", centre, ", anticlockwise ", area > 0
    box = box(:, 4:1:-1)
  end do
end program main
