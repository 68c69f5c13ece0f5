# snippet:check
# snippet:doc https://perldoc.perl.org/functions/ord ord
# snippet:prints @good ACGT
# snippet:prints kept 1, dropped 1
# snippet:prints line 5: the record breaks off or is not FASTQ
# snippet:prints line 1: the record breaks off or is not FASTQ
# snippet:prints line 1: the record breaks off or is not FASTQ
# snippet:end
use v5.36;
use List::Util qw(sum0);

# The number of wrong bases that a read's quality letters let expect (Phred, offset 33).
sub expected_errors ($quality) {
    return sum0 map { 10**(-(ord($_) - 33) / 10) } split //, $quality;
}

# Calls $keep with name and sequence of each good read; returns how many were kept and dropped.
sub filter_reads ($in, $most_errors, $keep) {
    my ($kept, $dropped) = (0, 0);
    while (defined(my $name = <$in>)) {
        my $line = $.;
        my ($sequence, $plus, $quality) = map { scalar <$in> } 1 .. 3;
        for ($name, $sequence, $plus, $quality) { s/\R\z// if defined }
        die "line $line: the record breaks off or is not FASTQ\n"
          unless defined $quality and $name =~ /^@/ and $plus =~ /^\+/
          and length $sequence == length $quality and $quality =~ /^[!-~]*\z/;
        if (expected_errors($quality) <= $most_errors) { $kept++; $keep->($name, $sequence) }
        else                                           { $dropped++ }
    }
    return ($kept, $dropped);
}
# snippet:check
my $show = sub ($name, $sequence) { say "$name $sequence" };
open my $in, '<', \"\@good\nACGT\n+\nIIII\n\@bad\nACGT\n+\nIII\"\n" or die;
my ($kept, $dropped) = filter_reads($in, 0.5, $show);
say "kept $kept, dropped $dropped";
close $in;
open $in, '<', \"\@a\nAC\n+\n!!\n\@b\nAC\n" or die;
eval { filter_reads($in, 0.5, $show) } or print $@;
close $in;
open $in, '<', \"\@a\nAC\nGT\nII\n" or die;
eval { filter_reads($in, 0.5, $show) } or print $@;
close $in;
open $in, '<', \"\@a\nAC\n+\nI \n" or die;
eval { filter_reads($in, 0.5, $show) } or print $@;
