      *> snippet:check
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html Intrinsic functions
      *> snippet:needs GnuCOBOL
      *> snippet:title Add working days to a date
      *> snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
      *> snippet:description not count.
      *> snippet:prints 20261228
      *> snippet:end
       >>source format free
       identification division.
       program-id. working-days.
       data division.
       working-storage section.
       01 start-date    pic 9(8) value 20261222.
       01 days-to-go    pic 99   value 3.
       01 due-date      pic 9(8).
       01 day-number    pic 9(7).
       01 holiday-table value "2026122520270101".
          05 holiday    pic 9(8) occurs 2 times indexed by h.
       procedure division.
           move start-date to due-date
           compute day-number = function integer-of-date(start-date)
           perform until days-to-go = 0
               add 1 to day-number
               compute due-date = function date-of-integer(day-number)
               set h to 1
               search holiday
                   at end
      *> Day 1 was a Monday, so 6 and 0 are Saturday and Sunday.
                       if function mod(day-number, 7) not = 6 and not = 0
                           subtract 1 from days-to-go
                       end-if
                   when holiday(h) = due-date
                       continue
               end-search
           end-perform
           display due-date
           stop run.
