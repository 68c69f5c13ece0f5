<?php
// snippet:doc https://www.php.net/manual/en/splfileobject.fgetcsv.php SplFileObject::fgetcsv
// snippet:needs PHP 8.1
/** Sums one column of a CSV by another, both named by the header line. A quote left open takes in the rows after it. */
function totals(string $path, string $by, string $sum): array
{
    $csv = new SplFileObject($path);
    if ($csv->fread(3) !== "\xEF\xBB\xBF") { // the byte order mark that Excel writes
        $csv->rewind();
    }
    $header = array_flip(array_filter($csv->fgetcsv(escape: '') ?: [], is_string(...)));
    if (!isset($header[$by], $header[$sum])) {
        throw new RuntimeException("$path has no columns $by and $sum");
    }
    $totals = [];
    while (!$csv->eof() && ($row = $csv->fgetcsv(escape: '')) !== false) {
        if ($row !== [null]) { // an empty line
            $group = $row[$header[$by]] ?? '';
            $value = $row[$header[$sum]] ?? '';
            if (!is_numeric($value)) {
                throw new RuntimeException("$path: $sum is '$value', which is no number");
            }
            $totals[$group] = ($totals[$group] ?? 0) + (float) $value;
        }
    }
    arsort($totals);
    return $totals;
}
// snippet:check
file_put_contents('s.csv', "date,region,amount\n2026-01-01,\"North, far\",10.5\n2026-01-02,South,20\n\n2026-01-03,\"North, far\",1.5\n");
file_put_contents('empty.csv', '');
try {
    totals('empty.csv', 'region', 'amount');
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
// snippet:prints empty.csv has no columns region and amount
file_put_contents('bad.csv', "\u{FEFF}\"region\",amount\nSouth,\"1,200\"\n");
try {
    totals('bad.csv', 'region', 'amount');
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
// snippet:prints bad.csv: amount is '1,200', which is no number
foreach (totals('s.csv', 'region', 'amount') as $region => $total) {
    echo "$region $total\n";
}
// snippet:prints South 20
// snippet:prints North, far 12
