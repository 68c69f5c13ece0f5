# snippet:doc https://perldoc.perl.org/functions/sprintf sprintf
use v5.36;
use utf8;
use List::Util qw(max);
binmode STDOUT, ':encoding(UTF-8)';

# The labels are decoded: characters, not bytes.
sub bar_chart ($width, @pairs) {
    my $most = max map { $_->[1] } @pairs;
    my $label = max map { length $_->[0] } @pairs;
    return map {
        my ($name, $value) = @$_;
        my $bar = '█' x ($most > 0 ? sprintf('%.0f', max(0, $value) / $most * $width) : 0);
        sprintf "%-*s %s %s\n", $label, $name, $bar, $value;
    } @pairs;
}

print bar_chart(30, ['/home', 1200], ['/var/log', 1850.5], ['/tmp', 0]);
# snippet:prints /home    ███████████████████ 1200
# snippet:prints /var/log ██████████████████████████████ 1850.5
# snippet:prints /tmp      0
