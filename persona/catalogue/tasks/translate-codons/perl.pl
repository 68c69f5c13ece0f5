# snippet:check
# snippet:doc https://perldoc.perl.org/perldata Hashes
# snippet:prints MAIVMGR MX
# snippet:prints MXIM MA
# snippet:end
use v5.36;

# The standard code, in the order TTT, TTC, TTA, TTG, TCT ... GGG; a star stops.
my @bases = qw(T C A G);
my @acids = split //, 'FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG';
my %acid_of;
for my $first (@bases) {
    for my $second (@bases) {
        $acid_of{"$first$second$_"} = shift @acids for @bases;
    }
}

# The protein up to the first stop codon, of DNA or RNA; X where a base is unknown.
sub translate ($gene) {
    my $protein = join '', map { $acid_of{$_} // 'X' } uc($gene) =~ tr/U/T/r =~ /(...)/gs;
    return $protein =~ s/\*.*//r;
}
# snippet:check
say translate('ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG'), ' ', translate('atgNcgTA');
say translate("ATGGC\nATTATG"), ' ', translate('augGCUuaa');
