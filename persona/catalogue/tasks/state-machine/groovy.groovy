// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/#_enum_definition Groovy enums
// snippet:prints PUBLISHED
// snippet:prints publish is not possible for BUILT, only [test, fail]
enum Release {
    DRAFT, BUILT, TESTED, PUBLISHED, FAILED

    private static final Map<Release, Map<String, Release>> TRANSITIONS = [
        (DRAFT) : [build: BUILT, fail: FAILED],
        (BUILT) : [test: TESTED, fail: FAILED],
        (TESTED): [publish: PUBLISHED, fail: FAILED],
        (FAILED): [retry: DRAFT],
    ].asImmutable()

    /** The next state; everything that is not in the table is refused. */
    Release on(String event) {
        def next = TRANSITIONS[this]?.get(event)
        if (!next) {
            def allowed = TRANSITIONS[this]?.keySet() ?: 'nothing'
            throw new IllegalStateException("$event is not possible for $this, only $allowed")
        }
        next
    }
}
// snippet:check
println(['build', 'fail', 'retry', 'build', 'test', 'publish'].inject(Release.DRAFT) { state, event -> state.on(event) })
try {
    Release.BUILT.on('publish')
} catch (IllegalStateException e) {
    println e.message
}
