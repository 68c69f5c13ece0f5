      *> snippet:check
      *> snippet:description The states and events of an order, and every allowed step between them, in one EVALUATE. An event that the
      *> snippet:description current state does not allow sets a flag and leaves the order as it is.
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:title Order states with condition names
      *> snippet:prints NEW      PAY     -> PAID
      *> snippet:prints PAID     SHIP    -> SHIPPED
      *> snippet:prints SHIPPED  PAY     refused
      *> snippet:end
       identification division.
       program-id. order-states.
       data division.
       working-storage section.
       01 order-state    pic x(8) value "NEW".
          88 is-new               value "NEW".
          88 is-paid              value "PAID".
          88 is-shipped           value "SHIPPED".
          88 is-cancelled         value "CANCELED".
       01 order-event    pic x(7).
       01 refused        pic x.
          88 was-refused          value "Y" false "N".
       procedure division.
      *> snippet:check
           go to main-line.
      *> snippet:end
      *> Tests state and event together; what no line allows is refused.
       fire.
           set was-refused to false
           evaluate true also order-event
               when is-new  also "PAY"    set is-paid to true
               when is-new  also "CANCEL" set is-cancelled to true
               when is-paid also "SHIP"   set is-shipped to true
               when is-paid also "CANCEL" set is-cancelled to true
               when other                 set was-refused to true
           end-evaluate.
      *> snippet:check
       show.
           display order-state " " order-event " " with no advancing
           perform fire
           if was-refused display "refused"
           else display "-> " order-state end-if.
       main-line.
           move "PAY" to order-event perform show
           move "SHIP" to order-event perform show
           move "PAY" to order-event perform show
           stop run.
