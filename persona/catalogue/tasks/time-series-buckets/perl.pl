# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/List::Util List::Util
use v5.36;
use List::Util qw(max min sum0);
use POSIX qw(floor);

# Readings as [unix time, value]; equal intervals of whole seconds, gaps included.
sub buckets ($seconds, @readings) {
    my %values;
    push $values{ floor($_->[0] / $seconds) }->@*, $_->[1] for @readings;
    return if !%values;
    my @out;
    for my $slot (min(keys %values) .. max(keys %values)) {
        my @v = ($values{$slot} // [])->@*;
        push @out, { start => $slot * $seconds, count => scalar @v, mean => @v ? sum0(@v) / @v : undef, max => max @v };
    }
    return @out;
}
# snippet:usage
for my $bucket (buckets(60, [0, 20], [30.5, 22], [130, 25.5])) {
    say join ' ', map { $_ // '-' } @$bucket{qw(start count mean max)};
}
# snippet:prints 0 2 21 22
# snippet:prints 60 0 - -
# snippet:prints 120 1 25.5 25.5
