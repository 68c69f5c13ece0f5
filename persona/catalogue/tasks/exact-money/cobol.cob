      *> snippet:usage
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:needs GnuCOBOL
      *> snippet:prints 0033.34 0033.33 0033.33
      *> snippet:end
       >>source format free
       identification division.
       program-id. split-amount.
       data division.
       working-storage section.
      *> The point of V is not stored: these are whole numbers of cents.
       01 amount        pic 9(4)v99 value 100.00.
       01 parts         pic 99      value 3.
       01 share         pic 9(4)v99.
       01 remaining     pic 9(4)v99.
       01 part-list.
          05 part       pic 9(4)v99 occurs 1 to 12 times depending on parts indexed by i.
      *> snippet:usage
       01 shown.
          05 shown-part pic 9(4).99.
      *> snippet:end
       procedure division.
           divide amount by parts giving share *> cut off, not rounded
           compute remaining = amount - share * parts
           perform varying i from 1 by 1 until i > parts
               move share to part(i)
               if remaining > 0
                   add 0.01 to part(i)
                   subtract 0.01 from remaining
               end-if
           end-perform.
      *> snippet:usage
           perform varying i from 1 by 1 until i > parts
               move part(i) to shown-part
               display shown with no advancing
               if i < parts display " " with no advancing end-if
           end-perform
           display " "
           stop run.
