// snippet:description An interface with annotations describes the options, their defaults and the files; CliBuilder makes the parser
// snippet:description and the usage text from it. The options are then read by name, each with its type; an unknown one is refused.
// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/core-domain-specific-languages.html#_clibuilder CliBuilder
// snippet:prints top 3 of [a.txt], verbose
// snippet:check
args = ['-n', '3', '-v', 'a.txt'] as String[]
// snippet:end
import groovy.cli.Option
import groovy.cli.Unparsed
import groovy.cli.picocli.CliBuilder

interface WordsOptions {
    @Option(shortName = 'n', description = 'how many words to show', defaultValue = '10')
    Integer top()

    @Option(shortName = 'v', description = 'say more')
    boolean verbose()

    @Option(shortName = 'h', description = 'print this text')
    boolean help()

    @Unparsed(description = 'FILE...')
    List<String> files()
}

def cli = new CliBuilder(name: 'words', usage: 'words [options] FILE...')
def options = cli.parseFromSpec(WordsOptions, args)
if (options.help()) {
    cli.usage()
} else if (!options.files() || options.files().any { it.startsWith('-') }) {
    System.err.println 'words: files are missing, or an option is unknown' // it arrives as a file
    System.exit(2)
} else {
    println "top ${options.top()} of ${options.files()}${options.verbose() ? ', verbose' : ''}"
}
