// snippet:doc https://docs.groovy-lang.org/latest/html/groovy-jdk/java/util/Map.html Groovy JDK: Map
// snippet:prints added [jsoup:1.21]
// snippet:prints removed [guava:33.4]
// snippet:prints changed [groovy:4.0.27 -> 4.0.28]
/** What turns one map of dependencies (or settings) into another. */
Map diff(Map before, Map after) {
    def both = before.keySet().intersect(after.keySet())
    [
        added  : after.subMap((after.keySet() - both).sort()),
        removed: before.subMap((before.keySet() - both).sort()),
        changed: both.sort()
                .findAll { before[it] != after[it] }
                .collectEntries { [it, "${before[it]} -> ${after[it]}".toString()] },
    ]
}

def released = [groovy: '4.0.27', spock: '2.3', guava: '33.4']
def current = [groovy: '4.0.28', spock: '2.3', jsoup: '1.21']
diff(released, current).each { kind, entries -> println "$kind $entries" }
