# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/Digest::SHA Digest::SHA
use v5.36;
use Digest::SHA;

# Verifies files against lines as sha256sum writes them: "<hex>  <name>".
sub verify (@lines) {
    my %result;
    for my $line (@lines) {
        my ($expected, $name) = $line =~ /^([0-9a-f]{64}) [ *](.+?)\r?$/i
            or die "not a checksum line: $line\n";
        $result{$name} = -f $name && -r _
            && Digest::SHA->new(256)->addfile($name, 'b')->hexdigest eq lc $expected ? 'ok' : 'FAILED';
    }
    return \%result;
}
# snippet:usage
open my $out, '>', 'a.txt' or die $!;
print $out 'hello';
close $out;
my $sum = Digest::SHA::sha256_hex('hello');
my $r = verify("$sum  a.txt", "$sum *gone.txt");
say "$_ $r->{$_}" for sort keys %$r;
# snippet:prints a.txt ok
# snippet:prints gone.txt FAILED
