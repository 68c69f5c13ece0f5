# snippet:doc https://perldoc.perl.org/POSIX#ceil POSIX::ceil
use v5.36;
use List::Util qw(max sum);
use POSIX qw(ceil);

# The smallest value that at least the given percentage of all values does not exceed (nearest rank, 0 to 100).
sub percentile ($percent, @values) {
    die "no values\n" unless @values;
    my @sorted = sort { $a <=> $b } @values;
    return $sorted[ max 0, ceil($percent * @sorted / 100 - 1e-7) - 1 ];    # 99.9 * 41000 / 100 is above 40959
}

my @ms = (12, 15, 11, 14, 13, 12, 240, 13, 12, 16, 14, 13, 900, 12, 15, 13, 14, 12, 13, 15);
printf "mean %.0f ms\n", sum(@ms) / @ms;
printf "p%-3d %d ms\n", $_, percentile($_, @ms) for 50, 95, 99;
# snippet:usage
# snippet:prints mean 69 ms
# snippet:prints p50  13 ms
# snippet:prints p95  240 ms
# snippet:prints p99  900 ms
# snippet:check
die unless percentile(99.9, 1 .. 41_000) == 40_959;
