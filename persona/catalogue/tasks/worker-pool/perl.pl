# snippet:doc https://perldoc.perl.org/functions/fork fork
use v5.36;
use POSIX ();

# Runs $work, which returns an exit code up to 255, for each item in child processes, at most $limit at once.
# Returns the exit codes by item; items that are equal count as one there. The caller has no other children.
sub run_pool ($limit, $work, @items) {
    die "limit $limit: expected 1 or more\n" if $limit < 1;
    my (%item_of, %exit_code);
    local $SIG{CHLD} = 'DEFAULT'; # where it is ignored, wait does not tell of children
    while (@items || %item_of) {
        while (@items && keys %item_of < $limit) {
            my $item = shift @items;
            my $pid = fork // die "cannot fork: $!";
            if ($pid == 0) { # the child ends here, also when the work dies
                my $code = eval { $work->($item) };
                warn $@ if $@;
                STDOUT->flush;
                POSIX::_exit($code // 255);
            }
            $item_of{$pid} = $item;
        }
        my $pid = wait;
        my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8; # as the shell: 137 is killed
        $exit_code{ delete $item_of{$pid} } = $code if exists $item_of{$pid};
    }
    return \%exit_code;
}
# snippet:check
my $r = run_pool(2, sub ($n) { select undef, undef, undef, 0.01 * $n; kill KILL => $$ if $n == 4; return $n % 2 }, 1 .. 5);
run_pool(1, sub { print "printed by a child\n"; return 0 }, 1);
say join ' ', map { "$_:$r->{$_}" } sort keys %$r;
$SIG{__WARN__} = sub { };
say eval { run_pool(1, sub { die "broken\n" }, 'x') }->{x};
eval { run_pool(0, sub { 0 }, 1) };
print $@;
# snippet:prints printed by a child
# snippet:prints 1:1 2:0 3:1 4:137 5:1
# snippet:prints 255
# snippet:prints limit 0: expected 1 or more
