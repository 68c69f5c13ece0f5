# snippet:doc https://perldoc.perl.org/Time::HiRes Time::HiRes
# snippet:description Collect the paths that change, and act once with all of them when nothing has changed for a while. A main
# snippet:description loop calls `tick`, which looks at the clock.
# snippet:why Editors and builds may write a file several times for one change.
use v5.36;
use Time::HiRes ();

# Collects changes and acts once when they have been quiet for a while.
package Debouncer {
    sub now { return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()) }

    sub new ($class, %arg) {
        return bless { quiet => 0.3, clock => \&now, last => undef, seen => {}, %arg }, $class;
    }

    sub changed ($self, $path) {
        $self->{seen}{$path} = 1;
        $self->{last} = $self->{clock}->();
        return;
    }

    # Call this from the main loop.
    sub tick ($self) {
        return if !defined $self->{last} || $self->{clock}->() - $self->{last} < $self->{quiet};
        my @paths = sort keys $self->{seen}->%*;
        $self->@{qw(last seen)} = (undef, {}); # first: the action may change something itself
        $self->{action}->(@paths);
        return;
    }
}
# snippet:check
my $now = 0;
my $d = Debouncer->new(clock => sub { $now }, action => sub (@p) { say "reload for @p at $now" });
for my $event ([0, 'a'], [0.2, 'b'], [0.4, undef], [0.6, undef], [1, 'a'], [2, undef]) {
    ($now, my $path) = @$event;
    defined $path ? $d->changed($path) : $d->tick;
}
# snippet:prints reload for a b at 0.6
# snippet:prints reload for a at 2
