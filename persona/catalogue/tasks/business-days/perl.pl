# snippet:doc https://perldoc.perl.org/Time::Piece Time::Piece
use v5.36;
use Time::Piece;
use Time::Seconds;

# Working days from the first day up to and including the last; dates as YYYY-MM-DD.
sub business_days ($first, $last, @holidays) {
    my %holiday = map { $_ => 1 } @holidays;
    my $end = Time::Piece->strptime($last, '%Y-%m-%d');
    my $count = 0;
    for (my $day = Time::Piece->strptime($first, '%Y-%m-%d'); $day <= $end; $day += ONE_DAY) {
        $count++ if $day->day_of_week =~ /[1-5]/ && !$holiday{ $day->ymd };
    }
    return $count;
}

say business_days('2026-12-21', '2027-01-04', '2026-12-25', '2027-01-01');
# snippet:prints 9
