# snippet:check
# snippet:doc https://perldoc.perl.org/perlsub Subroutines with signatures
# snippet:prints 25.0% from 2026-01-03 to 2026-01-05
# snippet:prints 0.0%
# snippet:end
use v5.36;

# The largest relative fall from an earlier high. Takes rows of date and value above zero, the oldest first.
sub max_drawdown (@rows) {
    my $high  = $rows[0];
    my $worst = { loss => 0, peak => $high->[0], trough => $high->[0] };
    for my $row (@rows) {
        $high = $row if $row->[1] > $high->[1];
        my $loss = 1 - $row->[1] / $high->[1];
        $worst = { loss => $loss, peak => $high->[0], trough => $row->[0] } if $loss > $worst->{loss};
    }
    return $worst;
}
# snippet:check
my @values = (100, 90, 120, 110, 90, 130, 117);
my $d = max_drawdown(map { [sprintf('2026-01-%02d', $_ + 1), $values[$_]] } 0 .. $#values);
printf "%.1f%% from %s to %s\n", 100 * $d->{loss}, $d->{peak}, $d->{trough};
printf "%.1f%%\n", 100 * max_drawdown(['a', 1], ['b', 2])->{loss};
