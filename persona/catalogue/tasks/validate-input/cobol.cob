      *> snippet:usage
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:needs GnuCOBOL
      *> snippet:prints AMOUNT: A NUMBER ABOVE ZERO
      *> snippet:prints DATE: A REAL DAY AS YYYYMMDD
      *> snippet:prints 02 MISTAKES
      *> snippet:end
       >>source format free
       identification division.
       program-id. validate-record.
       data division.
       working-storage section.
       01 payment-record.
          05 account     pic x(10).
          05 amount      pic x(8).
          05 due-date    pic x(8).
       01 mistakes       pic 99 value 0.
       procedure division.
      *> snippet:usage
           move "000012345600001x.020260230" to payment-record
      *> snippet:end
           if account is not numeric
               display "ACCOUNT: TEN DIGITS"
               add 1 to mistakes
           end-if
      *> TEST-NUMVAL tells the place of the first bad character, and zero if there is none.
           if function test-numval(amount) not = 0 or function numval(amount) <= 0
               display "AMOUNT: A NUMBER ABOVE ZERO"
               add 1 to mistakes
           end-if
           if due-date is not numeric or function test-date-yyyymmdd(function numval(due-date)) not = 0
               display "DATE: A REAL DAY AS YYYYMMDD"
               add 1 to mistakes
           end-if
           display mistakes " MISTAKES"
           stop run.
