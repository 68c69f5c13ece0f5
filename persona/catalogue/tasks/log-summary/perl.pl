# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/perlre perlre
use v5.36;

# Errors per hour from lines like "2026-05-04T10:15:00Z ERROR message".
sub errors_per_hour ($handle) {
    my %errors;
    while (my $line = <$handle>) {
        $errors{ $+{hour} }++ if $line =~ /^(?<hour>\d{4}-\d\d-\d\dT\d\d):\d\d:\d\d\S* (?:ERROR|FATAL)\b/;
    }
    return \%errors;
}
# snippet:usage
my $errors = errors_per_hour(\*DATA);
say "$_ $errors->{$_}" for sort keys %$errors;
__DATA__
2026-05-04T11:00:01Z ERROR a
2026-05-04T10:15:00Z FATAL b
2026-05-04T10:20:00Z INFO ERROR
nonsense
2026-05-04T10:zz ERROR no time
2026-05-04T10:59:00Z ERROR c
# snippet:prints 2026-05-04T10 2
# snippet:prints 2026-05-04T11 1
