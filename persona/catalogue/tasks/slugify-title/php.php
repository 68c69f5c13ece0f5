<?php
// snippet:doc https://www.php.net/manual/en/class.transliterator.php Transliterator
// snippet:needs PHP with the intl extension
function slug(string $title): string
{
    $ascii = Transliterator::create('Any-Latin; Latin-ASCII; Lower');
    $words = str_replace("'", '', $ascii->transliterate($title)); // don't, and the soft sign of письмо
    $slug = trim(preg_replace('/[^a-z0-9]+/', '-', $words), '-');
    return $slug === '' ? 'untitled' : $slug;
}

echo slug('  Crème Brûlée: 10 Tips & Tricks! '), "\n";
echo slug('Übung macht den Meister'), "\n";
echo slug('Новое письмо'), "\n";
echo slug('!?'), "\n";
// snippet:prints creme-brulee-10-tips-tricks
// snippet:prints ubung-macht-den-meister
// snippet:prints novoe-pismo
// snippet:prints untitled
