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
    real(real64), dimension(2, size(corners, 2)) :: from, to
    real(real64) :: cross(size(corners, 2))

    if (size(corners, 2) < 3) error stop "measure: three corners or more"
    from = corners - spread(corners(:, 1), 2, size(corners, 2)) ! near zero: large map coordinates lose digits
    to = cshift(from, shift=1, dim=2) ! the last corner's next one is the first
    cross = from(1, :) * to(2, :) - to(1, :) * from(2, :)
    area = sum(cross) / 2
    if (abs(area) <= 1e-12_real64 * maxval(abs(corners)) * sum(abs(from))) & ! what rounding of the coordinates may make
      error stop "measure: the corners are on one line, or nearly so"
    centre = corners(:, 1) + matmul(from + to, cross) / (6 * area)
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
  box(1, :) = box(1, :) + 500000.123_real64
  box(2, :) = box(2, :) + 5400000.377_real64
  call measure(box, area, centre)
  if (any(abs(centre - [500001.623_real64, 5400002.377_real64]) > 1e-6_real64)) error stop "far from the origin"
end program main
