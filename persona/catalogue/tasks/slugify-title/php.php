<?php
// snippet:doc https://www.php.net/manual/en/class.transliterator.php Transliterator
function slug(string $title): string
{
    $ascii = Transliterator::create('Any-Latin; Latin-ASCII; Lower');
    $slug = preg_replace('/[^a-z0-9]+/', '-', $ascii->transliterate($title));
    return trim($slug, '-') ?: 'untitled';
}

echo slug('  Crème Brûlée: 10 Tips & Tricks! '), "\n";
echo slug('Übung macht den Meister'), "\n";
echo slug('Привет, мир'), "\n";
echo slug('!?'), "\n";
// snippet:prints creme-brulee-10-tips-tricks
// snippet:prints ubung-macht-den-meister
// snippet:prints privet-mir
// snippet:prints untitled
