# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/import-csv Import-Csv
$ErrorActionPreference = 'Stop' # without the file, no empty totals either
$invariant = [cultureinfo]::InvariantCulture
$row = 1 # the header

$parcels = Import-Csv -LiteralPath ./parcels.csv | ForEach-Object {
    $row++
    $kilograms = 0.0
    if (-not [double]::TryParse($_.Kilograms, 'Float', $invariant, [ref]$kilograms)) {
        Write-Warning "row ${row}: '$($_.Kilograms)' is not a number; left out"
        return
    }
    [pscustomobject]@{ Region = $_.Region; Kilograms = $kilograms }
}

$parcels | Group-Object Region | ForEach-Object { # "North" and "north" are one group
    [pscustomobject]@{
        Region  = $_.Name
        Parcels = $_.Count
        Total   = ($_.Group | Measure-Object Kilograms -Sum).Sum
    }
} | Sort-Object Total -Descending | Export-Csv -LiteralPath ./totals.csv -NoTypeInformation
