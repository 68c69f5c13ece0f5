! snippet:usage
! snippet:doc https://fortran-lang.org/learn/quickstart/arrays_strings/ Arrays and strings
! snippet:prints 0
! snippet:prints GCA-TGCG
! snippet:prints G-ATTACA
! snippet:prints -2
! snippet:end
module alignment
  implicit none; integer, parameter :: match = 1, mismatch = -1, gap = -1
contains
  !> Aligns a and b from end to end (Needleman and Wunsch); both results have the same length.
  subroutine align(a, b, score, top, bottom)
    character(*), intent(in) :: a, b
    integer, intent(out) :: score
    character(:), allocatable, intent(out) :: top, bottom
    integer :: i, j; integer, allocatable :: best(:, :), pairs(:, :) ! on the heap: a stack may be too small

    allocate (best(0:len(a), 0:len(b)), pairs(len(a), len(b)))
    best(:, 0) = [(i * gap, i = 0, len(a))]
    best(0, :) = [(j * gap, j = 0, len(b))]
    do j = 1, len(b) ! columns outside: Fortran stores them together
      do i = 1, len(a)
        pairs(i, j) = merge(match, mismatch, a(i:i) == b(j:j))
        best(i, j) = max(best(i-1, j-1) + pairs(i, j), best(i-1, j) + gap, best(i, j-1) + gap)
      end do
    end do
    score = best(len(a), len(b))
    top = ""; bottom = ""; i = len(a); j = len(b)
    do while (i > 0 .or. j > 0) ! back from the corner, the way that each score came
      if (i > 0 .and. j > 0) then
        if (best(i, j) == best(i-1, j-1) + pairs(i, j)) then
          top = a(i:i) // top; bottom = b(j:j) // bottom; i = i - 1; j = j - 1; cycle
        end if
      end if
      if (i > 0 .and. best(max(i-1, 0), j) + gap == best(i, j)) then
        top = a(i:i) // top; bottom = "-" // bottom; i = i - 1
      else
        top = "-" // top; bottom = b(j:j) // bottom; j = j - 1
      end if
    end do
  end subroutine align
end module alignment
! snippet:usage
program main
  use alignment
  implicit none
  character(:), allocatable :: top, bottom
  integer :: score
  call align("GCATGCG", "GATTACA", score, top, bottom)
  print '(i0)', score
  print '(a)', top, bottom
  call align("", "AC", score, top, bottom)
  print '(i0)', score
end program main
