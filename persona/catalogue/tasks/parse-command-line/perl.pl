# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/Getopt::Long Getopt::Long
use v5.36;
use Getopt::Long qw(GetOptionsFromArray :config no_auto_abbrev no_ignore_case);

my $usage = "usage: resize [--width N] [--format png|webp] [--dry-run] FILE...\n";

sub arguments (@argv) {
    my %option = (width => 320, format => 'png');
    GetOptionsFromArray(\@argv, \%option, 'width|w=i', 'format|f=s', 'dry-run|n', 'help|h')
        or die $usage;
    if ($option{help}) { print $usage; exit 0 }
    die $usage if !@argv;
    die "--width must be positive\n$usage" if $option{width} < 1;
    die "--format $option{format} is not known\n$usage" if $option{format} !~ /^(?:png|webp)\z/;
    return (\%option, @argv);
}
# snippet:usage
my ($o, @files) = arguments(qw(-w 640 --dry-run a.png b.png));
say join ' ', (map { "$_=$o->{$_}" } sort keys %$o), @files;
print eval { arguments('--format', 'bmp', 'a'); 1 } ? '' : $@;
{
    local $SIG{__WARN__} = sub { };
    die if grep { my @a = @$_; eval { arguments(@a); 1 } } ['--dry', 'a'], ['--WIDTH', 5, 'a'];
}
# snippet:prints dry-run=1 format=png width=640 a.png b.png
# snippet:prints --format bmp is not known
# snippet:prints usage: resize [--width N] [--format png|webp] [--dry-run] FILE...
