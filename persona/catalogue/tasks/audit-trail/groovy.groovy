// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/#_traits Groovy traits
// snippet:description Give a class whose values are immutable a trail of the changes made through `change`: author, field, old and
// snippet:description new value. Callers get a copy of the trail, so that they cannot alter it. It lives in memory.
// snippet:why While the program runs, it can say who changed what, and from what.
// snippet:prints [author:bo, field:limit, from:100, to:200]
// snippet:prints [author:cy, field:owner, from:Ada, to:Eve]
// snippet:prints read only
// snippet:prints 2002
/** Adds a trail of changes to a class that sets its properties, whose values are immutable, through `change`. */
trait Audited {
    private final List<Map> changes = []

    void change(String author, Map<String, Object> values) {
        synchronized (changes) { // no other call comes between the look and the entry
            values.each { name, value ->
                def before = this[name]
                this[name] = value
                def after = this[name] // converted to the type of the property
                if (before != after) {
                    changes << [author: author, field: name, from: before, to: after].asImmutable()
                }
            }
        }
    }

    /** A copy: what is recorded is only ever added to. */
    List<Map> getTrail() {
        synchronized (changes) { changes.collect().asImmutable() }
    }
}

class Account implements Audited {
    String owner
    int limit
}
// snippet:check
def account = new Account(owner: 'Ada', limit: 100)
account.change('bo', [limit: 200, owner: 'Ada'])
account.change('cy', [owner: 'Eve', limit: 200.5])
account.trail.each { println it }
try { account.trail << [:] } catch (UnsupportedOperationException e) { println 'read only' }
def threads = (1..2).collect { t -> Thread.start { (1..1000).each { account.change("t$t", [limit: 1000 * t + it]); account.trail } } }
threads*.join()
println account.trail.size()
