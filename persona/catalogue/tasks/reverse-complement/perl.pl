# snippet:check
# snippet:doc https://perldoc.perl.org/functions/tr tr
# snippet:prints TGCNaacg
# snippet:prints no base: U at 1
# snippet:end
use v5.36;

# The other strand of decoded text, read in its own direction.
sub reverse_complement ($strand) {
    if ($strand =~ /[^ACGTN]/i) {
        die sprintf "no base: %s at %d\n", substr($strand, $-[0], 1), $-[0];
    }
    my $other = reverse $strand;
    return $other =~ tr/ACGTNacgtn/TGCANtgcan/r;
}
# snippet:check
say reverse_complement('cgttNGCA');
eval { reverse_complement('AU') } or print $@;
