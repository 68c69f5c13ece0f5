# snippet:check
# snippet:doc https://perldoc.perl.org/perlvar#$/ $/ (input record separator)
# snippet:prints seq1 6
# snippet:prints seq2 2
# snippet:prints seq1 2
# snippet:prints seq2 1
# snippet:prints odd.fa: does not begin with a header
# snippet:end
use v5.36;

# The next record, or undef. Perl reads a whole one when it ends with "\n>"; only here, not in what $visit reads.
sub next_record ($in) {
    local $/ = "\n>";
    my $record = <$in> // return undef;
    chomp $record;
    return $record;
}

# Calls $visit with name and sequence of each record.
sub each_fasta ($file, $visit) {
    open my $in, '<', $file or die "$file: $!\n";
    while (defined(my $record = next_record($in))) {
        if ($. == 1 and $record !~ s/^>//) {
            next if $record !~ /\S/; # blank lines before the first header
            die "$file: does not begin with a header\n";
        }
        my ($header, $sequence) = split /\n/, $record, 2;
        my ($name) = split ' ', $header // '';
        $visit->($name // '', ($sequence // '') =~ tr/ \t\r\n//dr);
    }
    close $in or die "$file: $!\n";
}
# snippet:check
open my $out, '>', 'reads.fa' or die;
print $out ">seq1 first\nACGT\nAC\n>seq2\nGG\n";
close $out;
each_fasta('reads.fa', sub ($name, $sequence) { say "$name ", length $sequence; die 'changed $/' if $/ ne "\n" });
open $out, '>', 'odd.fa' or die;
print $out "\n\n>seq1\nAC\n>seq2\nG\n";
close $out;
each_fasta('odd.fa', sub ($name, $sequence) { say "$name ", length $sequence });
open $out, '>', 'odd.fa' or die;
print $out "ACGT\n>seq1\nAC\n";
close $out;
eval { each_fasta('odd.fa', sub { }) } or print $@;
