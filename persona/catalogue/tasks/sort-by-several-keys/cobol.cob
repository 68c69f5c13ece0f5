      *> snippet:usage
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:prints CARL     100
      *> snippet:prints ADA      091
      *> snippet:prints BEA      091
      *> snippet:end
       identification division.
       program-id. sort-table.
       data division.
       working-storage section.
       01 player-count    pic 99 value 3.
       01 player-table.
          05 player occurs 1 to 50 times depending on player-count
             indexed by p.
             10 player-name pic x(8).
             10 points      pic 9(3).
       procedure division.
      *> snippet:usage
           move "CARL    100" to player(1)
           move "BEA     091" to player(2)
           move "ADA     091" to player(3)
      *> snippet:end
      *> Points first, names where points are equal; what is equal in both stays as it came.
           sort player
               on descending key points
               on ascending key player-name
               with duplicates in order
           perform varying p from 1 by 1 until p > player-count
               display player-name(p) " " points(p)
           end-perform
           stop run.
