// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/core-operators.html#_regular_expression_operators Regular expression operators
// snippet:prints 2026-03-01T10 [count:2, first:disk full]
// snippet:prints 2026-03-01T11 [count:1, first:timeout]
/** Errors per hour with the first message of each: often the cause of the rest. */
Map<String, Map> errorsPerHour(Reader log) {
    def hours = new TreeMap<String, Map>()
    log.eachLine { line ->
        def parts = line =~ /^(\d{4}-\d\d-\d\dT\d\d)\S* ERROR (.*)$/
        if (parts) {
            def (_, hour, message) = parts[0]
            hours.computeIfAbsent(hour) { [count: 0, first: message] }.count++
        }
    }
    hours
}

def log = '''\
2026-03-01T09:59:58Z INFO started
2026-03-01T10:00:01Z ERROR disk full
    at Disk.write
2026-03-01T10:00:02Z ERROR write failed
2026-03-01T11:10:00Z ERROR timeout'''
errorsPerHour(new StringReader(log)).each { hour, errors -> println "$hour $errors" }
