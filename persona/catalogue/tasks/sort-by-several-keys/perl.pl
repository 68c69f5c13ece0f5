# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/functions/sort sort
use v5.36;

my @players = (
    { name => 'Mei', score => 70 },
    { name => 'Zoe', score => 90 },
    { name => 'Bob', score => 70 },
    { name => 'Ada', score => 90 },
);

# Highest score first, equal scores by name: "or" asks the next key on a draw.
my @ranked = sort { $b->{score} <=> $a->{score} or $a->{name} cmp $b->{name} } @players;

say "$_->{score} $_->{name}" for @ranked;
# snippet:prints 90 Ada
# snippet:prints 90 Zoe
# snippet:prints 70 Bob
# snippet:prints 70 Mei
