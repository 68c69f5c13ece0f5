# snippet:doc https://perldoc.perl.org/integer integer
use v5.36;
use List::Util qw(sum);

# Splits an amount in cents by ratios so that not one cent is lost. The ratios are whole numbers, and the amount
# times a ratio must stay below 2**63.
sub split_cents ($cents, @ratios) {
    die "not whole numbers\n" if grep { $_ != int } $cents, @ratios;
    use integer;    # which would cut fractions off
    die "ratios must be positive\n" if !@ratios || grep { $_ <= 0 } @ratios;
    return map { -$_ } split_cents(-$cents, @ratios) if $cents < 0;
    my $total = sum @ratios;
    my @shares = map { $cents * $_ / $total } @ratios;
    my $left = $cents - sum @shares;
    $shares[$_]++ for 0 .. $left - 1; # the first ones get what is left
    return @shares;
}

sub euros ($cents) {
    use integer;
    return sprintf '%s%d.%02d EUR', $cents < 0 ? '-' : '', abs($cents / 100), abs($cents % 100);
}

say join ', ', map { euros($_) } split_cents(1000, 1, 1, 1);
say join ', ', map { euros($_) } split_cents(-5, 1, 1);
# snippet:check
die unless !eval { split_cents(10.5, 1) } && !eval { split_cents(10, 0.5, 1.5) };
# snippet:end
say 0.1 + 0.2 == 0.3 ? 'equal' : 'binary fractions are not exact';
# snippet:prints 3.34 EUR, 3.33 EUR, 3.33 EUR
# snippet:prints -0.03 EUR, -0.02 EUR
# snippet:prints binary fractions are not exact
