# snippet:check
# snippet:doc https://perldoc.perl.org/Unicode::Collate::Locale Unicode::Collate::Locale
# snippet:prints German: Adler Ärger Zebra
# snippet:prints Swedish: Adler Zebra Ärger
# snippet:prints résumé = RESUME: yes
# snippet:end
use v5.36;
use utf8;
use open qw(:std :encoding(UTF-8));
use Unicode::Collate::Locale;

# Made once: the tables of a language take a while to load.
my %collator = map { $_ => Unicode::Collate::Locale->new(locale => $_) } qw(de sv);

sub sorted_names ($language, @names) {
    return $collator{$language}->sort(@names);
}

# Level 1 compares letters only: no accents, no case. Good for finding names.
my $loose = Unicode::Collate::Locale->new(locale => 'en', level => 1);

sub same_name ($one, $other) { return $loose->eq($one, $other) }
# snippet:check
say "German: @{[sorted_names('de', qw(Zebra Ärger Adler))]}";
say "Swedish: @{[sorted_names('sv', qw(Zebra Ärger Adler))]}";
say 'résumé = RESUME: ', same_name('résumé', 'RESUME') ? 'yes' : 'no';
