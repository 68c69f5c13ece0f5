# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/Test::More Test::More
use v5.36;
use utf8;
use Test::More;

sub initials ($name) { return join '', map { uc substr $_, 0, 1 } split ' ', $name }

my @cases = (
    # name           input               expected
    ['two words',    'Ada Lovelace',     'AL'],
    ['lower case',   'grace hopper',     'GH'],
    ['accents',      'émile zola',       'ÉZ'],
    ['extra spaces', '  Alan   Turing ', 'AT'],
    ['nothing',      '',                 ''],
);
is(scalar eval { initials($_->[1]) }, $_->[2], $_->[0]) or $@ && diag $@ for @cases;
done_testing;
# snippet:prints ok 1 - two words
# snippet:prints ok 2 - lower case
# snippet:prints ok 3 - accents
# snippet:prints ok 4 - extra spaces
# snippet:prints ok 5 - nothing
# snippet:prints 1..5
