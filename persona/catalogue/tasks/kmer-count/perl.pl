# snippet:check
# snippet:doc https://perldoc.perl.org/perlre#Lookaround-Assertions Lookahead
# snippet:prints AT 3
# snippet:prints CA 2
# snippet:prints GC 1
# snippet:prints TG 1
# snippet:end
use v5.36;

# The words of $k letters and their counts. The lookahead matches without moving on, so words overlap.
sub kmer_counts ($sequence, $k) {
    my %count;
    $count{ uc $1 }++ while $sequence =~ /(?=([ACGT]{$k}))/gi;    # no unknown bases
    return \%count;
}

sub report ($sequence, $k) {
    my $count = kmer_counts($sequence, $k);
    say "$_ $count->{$_}" for sort { $count->{$b} <=> $count->{$a} || $a cmp $b } keys %$count;
}
# snippet:check
report('ATnCATGCAT', 2);
