# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/import-csv Import-Csv
# snippet:into Save it as totals.ps1, beside a parcels.csv with the columns Region and Kilograms, and run it.
$ErrorActionPreference = 'Stop' # without the file, no empty totals either
$invariant = [cultureinfo]::InvariantCulture
$row = 1 # the header

# Import-Csv raises no error for a quote left open, which takes in the rows after it.
$parcels = Import-Csv -LiteralPath ./parcels.csv -Encoding utf8 | ForEach-Object {
    $row++
    $kilograms = [decimal]0 # unlike [double], it knows no NaN
    if (-not [decimal]::TryParse($_.Kilograms, 'Float', $invariant, [ref]$kilograms)) {
        Write-Warning "row ${row}: '$($_.Kilograms)' is not a number; left out"
        return
    }
    [pscustomobject]@{ Region = $_.Region; Kilograms = $kilograms }
}

$parcels | Group-Object Region | ForEach-Object { # "North" and "north" are one group
    $total = [decimal]0 # Measure-Object adds up in [double]: 0.1 and 0.2 make 0.30000000000000004
    foreach ($parcel in $_.Group) { $total += $parcel.Kilograms }
    [pscustomobject]@{ Region = $_.Name; Parcels = $_.Count; Total = $total.ToString($invariant) }
} | Sort-Object { [decimal]$_.Total } -Descending |
    Export-Csv -LiteralPath ./totals.csv -NoTypeInformation -Encoding utf8
