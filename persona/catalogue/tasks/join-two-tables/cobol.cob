      *> snippet:usage
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:needs GnuCOBOL
      *> snippet:prints 0002 SCREWS   0005
      *> snippet:prints 0003 no such part
      *> snippet:end
       >>source format free
       identification division.
       program-id. look-up.
       data division.
       working-storage section.
       01 part-table.
          05 part occurs 3 times ascending key is part-number indexed by p.
             10 part-number pic 9(4).
             10 part-name   pic x(8).
       01 order-table.
          05 order-line occurs 2 times indexed by o.
             10 order-part  pic 9(4).
             10 quantity    pic 9(4).
       procedure division.
      *> snippet:usage
           move "0001BOLTS   " to part(1)
           move "0002SCREWS  " to part(2)
           move "0004NUTS    " to part(3)
           move "00020005" to order-line(1)
           move "00030001" to order-line(2)
      *> snippet:end
      *> SEARCH ALL halves the table at each step: it must be sorted by its key.
           perform varying o from 1 by 1 until o > 2
               search all part
                   at end
                       display order-part(o) " no such part"
                   when part-number(p) = order-part(o)
                       display order-part(o) " " part-name(p) " " quantity(o)
               end-search
           end-perform
           stop run.
