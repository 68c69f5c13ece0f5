# snippet:needs Perl 5.36
# snippet:check
# snippet:doc https://perldoc.perl.org/perlrebackslash#Misc \X in regular expressions
# snippet:prints 5 short
# snippet:prints 2 characters
# snippet:end
use v5.36;
use utf8;
use open qw(:std :encoding(UTF-8));

# Characters as people see them: \X takes a letter with its accents, and an emoji with all its parts.
# The text is decoded: not bytes.
sub characters ($text) { my @all = $text =~ /\X/g; return @all }

sub shorten ($text, $most) {
    my @characters = characters($text);
    return '' if $most < 1;
    return $text if @characters <= $most;
    return join('', @characters[0 .. $most - 2]) . '…';    # the ellipsis counts too
}
# snippet:check
my $cut = shorten("nai\x{308}vely", 5);
die unless $cut eq "nai\x{308}v…";
die unless characters($cut) == 5;
say scalar(my @parts = characters($cut)), ' ', shorten('short', 5);
say scalar(my @c = characters("e\x{301}\x{1F468}\x{200D}\x{1F469}\x{200D}\x{1F467}")), ' characters';
