      *> snippet:check
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:prints COSTS      115.0 %  MISSED
      *> snippet:prints SALES       95.0 %  NEAR
      *> snippet:prints NEW CLIENTS 103.0 %  MET
      *> snippet:end
       >>source format free
       identification division.
       program-id. target-status.
       data division.
       working-storage section.
       01 reached        pic 9(7)v99.
       01 target         pic 9(7)v99.
       01 less-is-better pic x value "N".
       01 percent        pic 9(12)v9.
       01 shortfall      pic s9(7)v99.
       01 result         pic x(6).
      *> snippet:check
       01 figure-name    pic x(11).
       01 shown-percent  pic zz9.9.
      *> snippet:end
       procedure division.
      *> snippet:check
           go to main-line.
      *> snippet:end
      *> Near means within ten percent on the wrong side. A target of zero has no percentage.
       judge.
           if target = 0
               move "NONE" to result
               move 0 to percent *> not that of the figure before
               exit paragraph
           end-if
           compute percent rounded = reached / target * 100 *> for display: sales of 99.99 show 100.0, and are not met
           compute shortfall = target - reached
           if less-is-better = "Y" compute shortfall = reached - target end-if
           evaluate true
               when shortfall <= 0           move "MET"    to result
               when shortfall * 10 <= target move "NEAR"   to result
               when other                    move "MISSED" to result
           end-evaluate.
      *> snippet:check
       show.
           perform judge
           move percent to shown-percent
           display function trim(figure-name) with no advancing
           if figure-name = "NEW CLIENTS" display " " with no advancing else display "      " with no advancing end-if
           display shown-percent " %  " result.
       main-line.
           move "COSTS" to figure-name move 115 to reached move 100 to target move "Y" to less-is-better perform show
           move "SALES" to figure-name move 95 to reached move "N" to less-is-better perform show
           move "NEW CLIENTS" to figure-name move 103 to reached perform show
           move 99.99 to reached perform judge
           if result not = "NEAR" display "99.99 of 100: " result end-if
           move 89.99 to reached perform judge
           if result not = "MISSED" display "89.99 of 100: " result end-if
           move 0 to target perform judge
           if result not = "NONE" or percent not = 0 display "a target of zero: " result end-if
           stop run.
