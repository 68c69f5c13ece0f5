# snippet:check
# snippet:doc https://perldoc.perl.org/perlvar#$/ $/ (input record separator)
# snippet:prints seq1 6
# snippet:prints seq2 2
# snippet:end
use v5.36;

# Calls $visit with name and sequence of each record. Perl reads whole records when they end with "\n>".
sub each_fasta ($file, $visit) {
    open my $in, '<', $file or die "$file: $!\n";
    local $/ = "\n>";
    while (my $record = <$in>) {
        chomp $record;
        die "$file: does not begin with a header\n" if $. == 1 and $record !~ s/^>//;
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
each_fasta('reads.fa', sub ($name, $sequence) { say "$name ", length $sequence });
