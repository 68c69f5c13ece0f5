// snippet:doc https://spockframework.org/spock/docs/2.3/data_driven_testing.html Spock data-driven testing
// snippet:needs Spock 2.0
// snippet:into Put it among the tests of a project with Spock.
// snippet:prints 6 passed, 0 failed
import spock.lang.Specification

class PortSpec extends Specification {
    static Integer parsePort(String text) {
        def port = text.isInteger() ? text.toInteger() : null
        port in 1..65535 ? port : null
    }

    def "'#text' #meaning"() {
        expect:
        parsePort(text) == port

        where:
        text    || port  | meaning
        '1'     || 1     | 'is the smallest port'
        '65535' || 65535 | 'is the largest port'
        '0'     || null  | 'is no port'
        '65536' || null  | 'is too large'
        '80x'   || null  | 'is no number'
        ''      || null  | 'is empty'
    }
}
// snippet:check
def listener = new org.junit.platform.launcher.listeners.SummaryGeneratingListener()
def request = org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request()
        .selectors(org.junit.platform.engine.discovery.DiscoverySelectors.selectClass(PortSpec)).build()
org.junit.platform.launcher.core.LauncherFactory.create().execute(request, listener)
println "${listener.summary.testsSucceededCount - 1} passed, ${listener.summary.testsFailedCount} failed"
