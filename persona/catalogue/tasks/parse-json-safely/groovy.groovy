// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/#_parsing_and_producing_json Parsing and producing JSON
// snippet:prints Order(a1, 1, [new])
// snippet:prints id: expected a text
// snippet:prints quantity: expected a whole number from 1 to 2147483647
// snippet:prints quantity: expected a whole number from 1 to 2147483647
// snippet:prints quantity: expected a whole number from 1 to 2147483647
// snippet:prints quantity: expected a whole number from 1 to 2147483647
// snippet:prints quantity: expected a whole number from 1 to 2147483647
// snippet:prints quantity: expected a whole number from 1 to 2147483647
// snippet:prints tags: expected texts
// snippet:prints tags: expected texts
// snippet:prints expected an object
// snippet:prints not JSON
// snippet:prints not JSON
// snippet:prints not JSON
// snippet:prints not JSON
import groovy.json.JsonException
import groovy.json.JsonSlurper
import groovy.transform.Immutable

@Immutable
class Order {
    String id
    int quantity
    List<String> tags

    /** The id is required, the rest has a default; an error says which field was wrong. */
    static Order parse(String text) {
        def json
        try {
            json = new JsonSlurper().parseText(text) // lenient: allows extra commas, ignores text after the object
        } catch (JsonException | NumberFormatException | IndexOutOfBoundsException | StackOverflowError e) {
            // not only JsonException: a lone -, a backslash at the end, nested too deeply
            throw new IllegalArgumentException('not JSON', e)
        }
        def require = { boolean ok, String message ->
            if (!ok) throw new IllegalArgumentException(message)
        }
        require(json instanceof Map, 'expected an object')
        require(json.id instanceof String, 'id: expected a text')
        def quantity = json.getOrDefault('quantity', 1) // not ?: which takes 0 and false for missing
        require(quantity instanceof Integer && quantity > 0, 'quantity: expected a whole number from 1 to 2147483647')
        def tags = json.getOrDefault('tags', [])
        require(tags instanceof List && tags.every { it instanceof String }, 'tags: expected texts')
        new Order(json.id, quantity, tags)
    }
}
// snippet:check
println Order.parse('{"id": "a1", "tags": ["new"]}')
['{"id": 7}', '{"id": "a", "quantity": "two"}', '{"id": "a", "quantity": 0}', '{"id": "a", "quantity": 1.5}', '{"id": "a", "quantity": 2147483648}', '{"id": "a", "quantity": false}',
 '{"id": "a", "quantity": null}', '{"id": "a", "tags": "new"}', '{"id": "a", "tags": [1]}', 'null', '{', '{"id": 1-2}', '{"id": "a\\', '[' * 100_000].each {
    try { Order.parse(it) } catch (IllegalArgumentException e) { println e.message }
}
