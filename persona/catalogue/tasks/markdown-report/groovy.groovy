// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/template-engines.html Template engines
// snippet:prints # Build report for main
// snippet:prints | module | tests | failed |
// snippet:prints | ------ | ----- | ------ |
// snippet:prints | api    | 212   | 0      |
// snippet:prints | web\|b | 98    | 3      |
import groovy.text.SimpleTemplateEngine

/** A Markdown table of at least one row, readable in a terminal and in a pull request. */
String table(List<Map> rows) {
    def columns = rows.first().keySet()
    def text = { it.toString().replace('|', '\\|').replaceAll(/\R/, ' ') }
    def width = columns.collectEntries { name ->
        [name, (rows*.get(name) + name).collect(text)*.size().max()]
    }
    def line = { Closure cell ->
        '| ' + columns.collect { cell(it).padRight(width[it]) }.join(' | ') + ' |'
    }
    def body = rows.collect { row -> line { text(row[it]) } }
    [line { text(it) }, line { '-' * width[it] }, *body].join('\n')
}

def report = new SimpleTemplateEngine().createTemplate('''\
# Build report for $branch

$table
''')
def text = report.make(
    branch: 'main',
    table: table([[module: 'api', tests: 212, failed: 0], [module: 'web|b', tests: 98, failed: 3]]))
// snippet:usage
print text.toString().replace('\n\n', '\n')
