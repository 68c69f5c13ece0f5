# snippet:doc https://perldoc.perl.org/functions/rand rand
use v5.36;
use List::Util qw(max sum);

# Rolls "3d6+2"; srand beforehand makes the luck repeatable.
sub roll ($text) {
    my ($n, $sides, $plus) = $text =~ /^(\d{0,2})d([1-9]\d{0,2})([+-]\d{1,3})?\z/
        or die "not a roll: $text\n";
    my @dice = map { 1 + int rand $sides } 1 .. max(1, $n || 0);
    return (sum(@dice) + ($plus // 0), @dice);
}
# snippet:check
srand 7;
my ($sum, @dice) = roll('3d6+2');
say scalar(@dice), ' ', $sum == sum(@dice) + 2 ? 'right' : 'wrong', ' ', (grep { $_ < 1 || $_ > 6 } @dice) ? 'bad' : 'fair';
print eval { roll('six'); 1 } ? '' : $@;
# snippet:prints 3 right fair
# snippet:prints not a roll: six
