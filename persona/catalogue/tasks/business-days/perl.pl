# snippet:doc https://perldoc.perl.org/Time::Piece Time::Piece
use v5.36;
use Time::Piece;
use Time::Seconds;

sub date ($text) {
    my $date = eval { Time::Piece->strptime($text, '%Y-%m-%d') };
    die "not a date: $text\n" if !$date || $date->ymd ne $text;    # 30 February would be 2 March
    return $date;
}

# Working days from the first day up to and including the last; dates as YYYY-MM-DD.
sub business_days ($first, $last, @holidays) {
    my %holiday = map { date($_)->ymd => 1 } @holidays;
    my $end = date($last);
    my $count = 0;
    for (my $day = date($first); $day <= $end; $day += ONE_DAY) {
        $count++ if $day->day_of_week =~ /[1-5]/ && !$holiday{ $day->ymd };
    }
    return $count;
}

say business_days('2026-12-21', '2027-01-04', '2026-12-25', '2027-01-01');
# snippet:check
die if grep { my $no = $_; eval { business_days('2026-01-01', $no) } } '2026-02-30', '', '2026-2-3';
# snippet:prints 9
