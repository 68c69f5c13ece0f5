# snippet:check
# snippet:doc https://perldoc.perl.org/Math::Trig Math::Trig
# snippet:prints 343.6 km
# snippet:prints 20015.1 km
# snippet:end
use v5.36;
use List::Util qw(min);
use Math::Trig qw(asin deg2rad);

use constant EARTH_RADIUS_KM => 6371.0088;

# The distance in km between two places, each a latitude and a longitude in degrees.
sub distance ($from, $to) {
    my ($lat1, $lon1, $lat2, $lon2) = map { deg2rad($_) } @$from, @$to;
    my $h = sin(($lat2 - $lat1) / 2)**2 + cos($lat1) * cos($lat2) * sin(($lon2 - $lon1) / 2)**2;
    return 2 * EARTH_RADIUS_KM * asin(sqrt min($h, 1));
}
# snippet:check
printf "%.1f km\n", distance([51.5074, -0.1278], [48.8566, 2.3522]);
printf "%.1f km\n", distance([0, 0], [0, 180]);
