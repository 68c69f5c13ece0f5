# snippet:needs Perl 5.36
# snippet:check
# snippet:doc https://perldoc.perl.org/functions/quotemeta quotemeta and \Q
# snippet:prints ### Fixed
# snippet:prints - A crash.
# snippet:prints no section for 9.9.9
# snippet:end
use v5.36;

# The section of one version of a changelog, without its heading.
sub release_notes ($changelog, $version) {
    my ($found, @notes);
    for (split /^/, $changelog) {
        if (/^## /) {
            last if $found;    # the next version: done
            $found = /^##\s+\[?v?\Q$version\E\]?(?:[\s(]|$)/;    # \Q: its dots are dots
        }
        elsif ($found) { push @notes, $_ }
    }
    die "no section for $version\n" unless $found;
    my $notes = join '', @notes;
    $notes =~ s/\A\s*\n|\s+\z//g;    # blank lines, not the first one's indentation
    die "the section for $version is empty\n" if $notes eq '';
    return $notes;
}
# snippet:check
my $log = "# Changes\n\n## [1.20.1]\n- Other\n\n## [1.2.0] - 2026-03-01\n\n### Fixed\n- A crash.\n\n## [1.1.0](https://example.com)\n- Old\n\n## 1.0.0\n\n \n    code\n  \n";
die unless release_notes($log, '1.1.0') eq '- Old' && release_notes($log, '1.0.0') eq '    code';
say release_notes($log, '1.2.0');
eval { release_notes($log, '9.9.9') } or print $@;
