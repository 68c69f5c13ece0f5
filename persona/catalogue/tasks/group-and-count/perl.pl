# snippet:needs Perl 5.36
# snippet:doc https://perldoc.perl.org/perldsc perldsc
use v5.36;

my @requests = (
    { host => 'a', status => 200, bytes => 512 },
    { host => 'b', status => 404, bytes => 64 },
    { host => 'a', status => 200, bytes => 2048 },
    { host => 'b', status => 200, bytes => 128 },
);

my %by_host;
for my $r (@requests) {
    my $entry = $by_host{ $r->{host} } //= { count => 0, bytes => 0 }; # made on first sight
    $entry->{count}++;
    $entry->{bytes} += $r->{bytes};
}
for my $host (sort { $by_host{$b}{bytes} <=> $by_host{$a}{bytes} or $a cmp $b } keys %by_host) {
    printf "%s: %d requests, %d bytes\n", $host, $by_host{$host}->@{qw(count bytes)};
}
# snippet:prints a: 2 requests, 2560 bytes
# snippet:prints b: 2 requests, 192 bytes
