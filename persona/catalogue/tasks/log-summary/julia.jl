# snippet:doc https://docs.julialang.org/en/v1/manual/strings/#man-regex-literals Regular expressions
# snippet:prints 04 Mar 10:00     2
# snippet:prints 04 Mar 11:00     0
# snippet:prints 05 Mar 00:00     1
# snippet:check
write("service.log", """
2025-03-05T00:15:30Z ERROR again
2025-03-04T10:15:30Z ERROR disk full
    at Disk.write
2025-02-30T10:15:30Z ERROR no such day
2025-03-04T10:16:30Z FATAL stopped
2025-03-04T10:16:31Z ERROR_COUNT=0
2025-03-04T10:16:32+02:00 ERROR another form
2025-03-04T11:16:30Z  INFO started
""")
# snippet:end
using Dates

"Pairs `hour => errors`, sorted by hour, of log lines that begin `2025-03-04T10:15:30Z ERROR …`."
function errors_per_hour(log)
    line_format = r"^(?<hour>\d{4}-\d\d-\d\dT\d\d):\d\d:\d\dZ +(?<severity>[A-Z]+)\b"
    errors = Dict{DateTime,Int}()
    for line in eachline(log)
        m = match(line_format, line)
        isnothing(m) && continue # a line of a stack trace, say
        hour = tryparse(DateTime, m["hour"], dateformat"yyyy-mm-ddTHH")
        isnothing(hour) && continue # no day of the calendar
        errors[hour] = get(errors, hour, 0) + (m["severity"] in ("ERROR", "FATAL"))
    end
    return sort!(collect(errors); by = first)
end

for (hour, errors) in errors_per_hour("service.log")
    println(Dates.format(hour, "dd u HH:00"), lpad(errors, 6))
end
