      *> snippet:check
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:prints 01    34.00      1.00     66.50
      *> snippet:prints 02    34.00      0.66     33.16
      *> snippet:prints 03    33.49      0.33      0.00
      *> snippet:end
       identification division.
       program-id. loan-schedule.
       data division.
       working-storage section.
       01 balance        pic s9(9)v99 value 99.50.
       01 monthly-rate   pic v9(6)    value 0.010000.
       01 payment        pic s9(9)v99 value 34.00.
       01 interest       pic s9(9)v99.
       01 month-number   pic 99       value 0.
       01 row.
          05 row-month    pic 99.
          05 row-payment  pic z(5)9.99.
          05 row-interest pic z(6)9.99.
          05 row-balance  pic z(6)9.99.
       procedure division.
           perform until balance = 0
               add 1 to month-number
               compute interest rounded mode is nearest-even = balance * monthly-rate
               if payment <= interest
                   display "the payment does not cover the interest" upon syserr
                   move 1 to return-code
                   stop run
               end-if
               *> the last payment settles what rounding left over
               compute payment = function min(payment, balance + interest)
               compute balance = balance + interest - payment
               move month-number to row-month
               move payment to row-payment
               move interest to row-interest
               move balance to row-balance
               display row
           end-perform
           stop run.
