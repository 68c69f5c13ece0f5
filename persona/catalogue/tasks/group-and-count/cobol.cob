      *> snippet:usage
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:needs GnuCOBOL
      *> snippet:description Count and add up sales by city with a control break: the rows come sorted, and a group ends where the city
      *> snippet:description changes. Cities are listed in the order of the rows, and a grand total stands last.
      *> snippet:title Totals by group with a control break
      *> snippet:prints BERLIN   02       350.50
      *> snippet:prints PARIS    01        99.99
      *> snippet:prints ALL      03       450.49
      *> snippet:end
       >>source format free
       identification division.
       program-id. control-break.
       data division.
       working-storage section.
       01 sale-count      pic 99 value 3.
       01 sale-table.
          05 sale occurs 1 to 99 times depending on sale-count indexed by i.
             10 city      pic x(8).
             10 amount    pic 9(7)v99.
       01 current-city    pic x(8).
       01 city-count      pic 99.
       01 city-total      pic 9(9)v99.
       01 grand-total     pic 9(9)v99 value 0.
       01 shown-total     pic z(8)9.99.
       procedure division.
      *> snippet:usage
           move "BERLIN  000010025" to sale(1)
           move "BERLIN  000025025" to sale(2)
           move "PARIS   000009999" to sale(3)
      *> snippet:end
      *> The rows are sorted by city: a group ends where the city changes, or where the rows do.
           set i to 1
           perform until i > sale-count
               move city(i) to current-city
               move 0 to city-count city-total
               perform with test before until i > sale-count or city(i) not = current-city
                   add 1 to city-count
                   add amount(i) to city-total grand-total
                   set i up by 1
               end-perform
               move city-total to shown-total
               display current-city " " city-count " " shown-total
           end-perform
           move grand-total to shown-total
           display "ALL      " sale-count " " shown-total
           stop run.
