# snippet:check
# snippet:doc https://perldoc.perl.org/perlre Perl regular expressions
# snippet:prints guide.md:1: "Log-in": write "sign in"
# snippet:prints guide.md:3: "e.g.": write "for example"
# snippet:prints 2
# snippet:end
use v5.36;

# What the style guide rules out, and what to write instead.
my %instead   = ('log-in' => 'sign in', 'e.g.' => 'for example', 'whitelist' => 'allowlist');
my $forbidden = join '|', map { quotemeta } sort { length $b <=> length $a } keys %instead;

# Prints findings such as "guide.md:3: ..." and returns how many there are. The text is characters, not bytes.
sub check_terms ($name, $text) {
    my $findings = 0;
    my $number   = 0;
    for my $line (split /\n/, $text) {
        $number++;
        $line =~ s/`[^`]*`/``/g;    # a command is called what it is called
        while ($line =~ /(?<![\w-])($forbidden)(?![\w-])/gi) {
            say qq{$name:$number: "$1": write "$instead{fc $1}"};
            $findings++;
        }
    }
    return $findings;
}
# snippet:check
say check_terms('guide.md', "Log-in now.\nRun `whitelist add`; blog-ins stay.\nTools, e.g. make.\n");
