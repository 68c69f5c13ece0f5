# snippet:check
# snippet:doc https://perldoc.perl.org/perlre Perl regular expressions
# snippet:prints - [Install](#install)
# snippet:prints   - [On macOS & Linux](#on-macos--linux)
# snippet:prints - [Install](#install-1)
# snippet:prints - [C#](#c)
# snippet:prints - [Install-1](#install-1-1)
# snippet:prints - [Last](#last)
# snippet:end
use v5.36;
use utf8;

# A nested list of links to the headings of a (decoded) text, from level 2 on.
sub table_of_contents ($markdown) {
    my (%seen, $fence, @toc);
    for (split /\n/, $markdown) {
        if (/^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)/) {
            if    (!defined $fence)                           { $fence = $1 }
            elsif (index($1, $fence) == 0 and $2 !~ /\S/)     { undef $fence }
            next;
        }
        next if defined $fence or not /^(#{2,6})\s+(.+?)(?:\s+#+)?\s*$/;    # "## C#" keeps its #
        my ($level, $text) = (length $1, $2);
        my $slug   = lc($text) =~ s/[^\w\- ]//gr =~ tr/ /-/r;
        my $anchor = $slug;
        $anchor = "$slug-" . ++$seen{$slug} while exists $seen{$anchor};    # the second "Install" is #install-1
        $seen{$anchor} = 0;
        push @toc, '  ' x ($level - 2) . "- [$text](#$anchor)";
    }
    return @toc;
}
# snippet:check
say for table_of_contents("# Title\n## Install\n```sh\n## no heading\n```text\n## none either\n```\n### On macOS & Linux\n## Install ##\n## C#\n## Install-1\n```no fence```\n## Last\n");
