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
// snippet:usage
file_put_contents('sales.csv', "region,amount\n\"North, far\",10.5\nSouth,20\n\n\"North, far\",1.5\n");
foreach (totals('sales.csv', 'region', 'amount') as $region => $total) {
    echo "$region $total\n";
}
// snippet:prints South 20
// snippet:prints North, far 12
// snippet:check
foreach (['' => 'empty.csv', "\u{FEFF}\"region\",amount\nSouth,\"1,200\"\n" => 'bad.csv'] as $text => $file) {
    file_put_contents($file, $text);
    try {
        totals($file, 'region', 'amount');
    } catch (RuntimeException $e) {
        echo $e->getMessage(), "\n";
    }
}
// snippet:prints empty.csv has no columns region and amount
// snippet:prints bad.csv: amount is '1,200', which is no number
