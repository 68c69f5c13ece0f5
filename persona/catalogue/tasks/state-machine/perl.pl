# snippet:doc https://perldoc.perl.org/perldsc perldsc
use v5.36;

# state => { event => next state }; what is not in the table cannot happen.
my %next = (
    green  => { timer => 'yellow' },
    yellow => { timer => 'red' },
    red    => { timer => 'green', fault => 'off' },
    off    => { repair => 'red' },
);

sub after ($state, $event) {
    return ($next{$state} // {})->{$event}
        // die "a light that is $state does not react to $event\n";
}

my $state = 'green';
$state = after($state, $_) for qw(timer timer fault repair);
say $state;
say eval { after('green', 'repair') } // "refused: $@";
# snippet:prints red
# snippet:prints refused: a light that is green does not react to repair
