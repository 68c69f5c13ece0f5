! snippet:usage
! snippet:doc https://fortran-lang.org/learn/quickstart/organising_code/ Procedures and modules
! snippet:prints back after a period: T, energy kept: T
! snippet:end
module oscillator
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none

  abstract interface
    pure real(real64) function force(x)
      import :: real64
      real(real64), intent(in) :: x
    end function force
  end interface
contains
  !> Moves a particle of mass one by n steps of dt seconds (velocity Verlet, second order).
  subroutine move(x, v, f, dt, n)
    real(real64), intent(inout) :: x, v
    procedure(force) :: f
    real(real64), intent(in) :: dt
    integer, intent(in) :: n
    integer :: i

    do i = 1, n
      v = v + f(x) * dt / 2
      x = x + v * dt
      v = v + f(x) * dt / 2
    end do
  end subroutine move

  pure real(real64) function spring(x)
    real(real64), intent(in) :: x
    spring = -x
  end function spring
end module oscillator
! snippet:usage
program main
  use oscillator
  implicit none
  real(real64) :: x, v
  real(real64), parameter :: period = 2 * acos(-1.0_real64)
  x = 1; v = 0
  call move(x, v, spring, period / 1000, 1000)
  print '(2(a, l1))', "back after a period: ", abs(x - 1) < 1e-4_real64, &
    ", energy kept: ", abs((x**2 + v**2) / 2 - 0.5_real64) < 1e-5_real64
end program main
