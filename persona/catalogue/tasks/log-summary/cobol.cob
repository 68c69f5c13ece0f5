      *> snippet:usage
      *> snippet:why How often it went wrong, and whether anything was not understood.
      *> snippet:description Read the log of a job line by line. The third word tells how a step ended: `OK`, `ABEND` and lines with
      *> snippet:description another word, or none, are each counted. A line has at most 80 characters, and no tabs. The program first writes a
      *> snippet:description `job.log` as an example.
      *> snippet:doc https://gnucobol.sourceforge.io/doc/gnucobol.html GnuCOBOL manual
      *> snippet:needs GnuCOBOL
      *> snippet:title Summarise a job log: ends and abends
      *> snippet:prints 00002 abends, 00001 fine, 00001 lines not understood
      *> snippet:end
       >>source format free
       identification division.
       program-id. job-log.
       environment division.
       input-output section.
       file-control.
           select job-log assign to "job.log" organization is line sequential file status is log-status.
       data division.
       file section.
       fd job-log.
       01 log-line       pic x(80).
       working-storage section.
       01 log-status     pic xx.
       01 log-words.
          05 log-time pic x(8). 05 step pic x(8). 05 outcome pic x(8).
       01 counts.
          05 abends pic 9(5) value 0. 05 fine pic 9(5) value 0. 05 odd-lines pic 9(5) value 0.
       procedure division.
      *> snippet:usage
           open output job-log
           move "02:00:01 STEP010 OK" to log-line write log-line
           move "02:00:09 STEP020 ABEND S0C7" to log-line write log-line
           move " garbage" to log-line write log-line
           move " 02:10:00 STEP020 ABEND S0C4" to log-line write log-line
           close job-log
      *> snippet:end
           open input job-log
           if log-status not = "00"
               display "job.log: file status " log-status upon syserr
               stop run returning 1
           end-if
           perform until exit
               read job-log at end exit perform end-read
               move spaces to log-words
               unstring function trim(log-line) delimited by all space into log-time step outcome
               evaluate outcome
                   when "ABEND" add 1 to abends
                   when "OK"    add 1 to fine
                   when other   add 1 to odd-lines
               end-evaluate
           end-perform close job-log
           display abends " abends, " fine " fine, " odd-lines " lines not understood"
           stop run.
