! snippet:check
! snippet:doc https://gcc.gnu.org/onlinedocs/gfortran/GET_005fCOMMAND_005fARGUMENT.html GET_COMMAND_ARGUMENT
! snippet:prints n = 100
! snippet:prints n = 7
! snippet:prints --n: expected a whole number above zero after it
! snippet:prints --n: expected a whole number above zero after it
! snippet:prints --n: expected a whole number above zero after it
! snippet:prints --m: unknown option
! snippet:end
module options
  implicit none
contains
  !> The value of "--n NUMBER" among the arguments (from get_command_argument), or 100. A mistake is told in problem,
  !> which is empty otherwise.
  subroutine read_options(arguments, n, problem)
    character(*), intent(in) :: arguments(:)
    integer, intent(out) :: n
    character(:), allocatable, intent(out) :: problem
    integer :: i, status

    n = 100; problem = ""; i = 1
    do while (i <= size(arguments))
      select case (arguments(i))
      case ("--n")
        status = 1
        if (i < size(arguments)) then ! digits only: a list-directed read takes "/" and "," as well, and leaves n alone
          if (verify(trim(arguments(i + 1)), "0123456789") == 0) read (arguments(i + 1), *, iostat=status) n
        end if
        if (status /= 0 .or. n < 1) then
          problem = "--n: expected a whole number above zero after it"
          return
        end if
        i = i + 2
      case ("--help")
        print '(a)', "usage: simulate [--n NUMBER]"
        stop
      case default
        problem = trim(arguments(i)) // ": unknown option"
        return
      end select
    end do
  end subroutine read_options
end module options
! snippet:check
program main
  use options
  implicit none
  integer :: n
  character(:), allocatable :: problem
  character(3) :: none(0)
  call show(none)
  call show(["--n", "7  "])
  call show(["--n", "x  "])
  call show(["--n", "/  "])
  call show(["--n"])
  call show(["--m"])
contains
  subroutine show(a)
    character(*), intent(in) :: a(:)
    call read_options(a, n, problem)
    if (problem == "") then
      print '(a, i0)', "n = ", n
    else
      print '(a)', problem
    end if
  end subroutine show
end program main
