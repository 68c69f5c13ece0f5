      *> snippet:usage
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:prints NORTH   ########################## 052
      *> snippet:prints SOUTH   ######################################## 080
      *> snippet:prints WEST     000
      *> snippet:end
       identification division.
       program-id. bar-chart.
       data division.
       working-storage section.
       01 region-table.
          05 region occurs 3 times indexed by r.
             10 region-name pic x(7).
             10 units       pic 9(3).
       01 widest        pic 99  value 40.
       01 largest       pic 9(3) value 0.
       01 bar-length    pic 99.
       01 full-bar      pic x(40) value all "#".
       procedure division.
      *> snippet:usage
           move "NORTH  052" to region(1)
           move "SOUTH  080" to region(2)
           move "WEST   000" to region(3)
      *> snippet:end
           perform varying r from 1 by 1 until r > 3
               compute largest = function max(largest, units(r))
           end-perform
           perform varying r from 1 by 1 until r > 3
               compute bar-length rounded = units(r) * widest / largest
                   on size error move 0 to bar-length
               end-compute
               display region-name(r) " " with no advancing
               if bar-length > 0
                   display full-bar(1:bar-length) with no advancing
               end-if
               display " " units(r)
           end-perform
           stop run.
