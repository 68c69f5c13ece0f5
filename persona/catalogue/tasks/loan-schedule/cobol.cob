      *> snippet:check
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:needs GnuCOBOL
      *> snippet:prints 001        34.00         1.00        67.00
      *> snippet:prints 002        34.00         0.67        33.67
      *> snippet:prints 003        34.01         0.34         0.00
      *> snippet:end
       >>source format free
       identification division.
       program-id. loan-schedule.
       data division.
       working-storage section.
       01 balance        pic s9(9)v99 value 100.00.
       01 monthly-rate   pic v9(6)    value 0.010000.
       01 months         pic 9(3)     value 3.
       01 payment        pic s9(9)v99.
       01 interest       pic s9(9)v99.
       01 month-number   pic 9(4).
       01 row.
          05 row-month    pic 9(3).
          05 row-payment  pic -(9)9.99.
          05 row-interest pic -(9)9.99.
          05 row-balance  pic -(9)9.99.
       procedure division.
           compute payment rounded = balance * function annuity(monthly-rate, months)
           perform varying month-number from 1 by 1 until month-number > months
               compute interest rounded mode is nearest-even = balance * monthly-rate
               if month-number = months
                   compute payment = balance + interest *> settles what rounding left over
               end-if
               compute balance = balance + interest - payment
               move month-number to row-month
               move payment to row-payment
               move interest to row-interest
               move balance to row-balance
               display row
           end-perform
           stop run.
