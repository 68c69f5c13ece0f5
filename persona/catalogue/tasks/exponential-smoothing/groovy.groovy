// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/lang/Iterable.html Groovy JDK: inject
// snippet:needs Groovy 2.5
// snippet:description Smooth readings with an exponential moving average: each moves the value by the share `alpha` of its
// snippet:description distance. A second function finds the readings that are far from the smoothed course.
// snippet:prints [20.00, 20.13, 20.09, 22.82, 22.24, 21.93]
// snippet:prints [3]
/** The course that begins at the first reading; each further one moves it by the share alpha. */
List<BigDecimal> smooth(List<BigDecimal> readings, BigDecimal alpha) {
    readings.drop(1).inject(readings.take(1)) { smoothed, reading ->
        // Rounded, or the decimals would grow in number with each reading.
        smoothed << (smoothed.last() + alpha * (reading - smoothed.last())).round(6)
    }
}

/** The positions of readings that are far from the smoothed course: a loose wire, a slow build. */
List<Integer> outliers(List<BigDecimal> readings, BigDecimal alpha, BigDecimal limit) {
    def course = smooth(readings, alpha)
    readings.indices.drop(1).findAll { i -> (readings[i] - course[i - 1]).abs() > limit }
}

def temperatures = [20.0, 20.5, 20.0, 31.0, 20.5, 21.0]
println smooth(temperatures, 0.25)*.round(2)
println outliers(temperatures, 0.25, 5.0)
// snippet:check
assert smooth([], 0.25) == [] && outliers([], 0.25, 5.0) == [] && outliers([20.0], 0.25, 5.0) == []
