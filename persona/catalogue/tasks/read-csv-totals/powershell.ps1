# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/import-csv Import-Csv
$ErrorActionPreference = 'Stop' # without the file, no empty totals either
$invariant = [cultureinfo]::InvariantCulture
$row = 1 # the header

$parcels = Import-Csv -LiteralPath ./parcels.csv | ForEach-Object {
    $row++
    $kilograms = [decimal]0 # unlike [double], it knows no NaN
    if (-not [decimal]::TryParse($_.Kilograms, 'Float', $invariant, [ref]$kilograms)) {
        Write-Warning "row ${row}: '$($_.Kilograms)' is not a number; left out"
        return
    }
    [pscustomobject]@{ Region = $_.Region; Kilograms = $kilograms }
}

$parcels | Group-Object Region | ForEach-Object { # "North" and "north" are one group
    [pscustomobject]@{
        Region  = $_.Name
        Parcels = $_.Count
        Total   = ($_.Group | Measure-Object Kilograms -Sum).Sum.ToString($invariant)
    }
} | Sort-Object { [double]$_.Total } -Descending | Export-Csv -LiteralPath ./totals.csv -NoTypeInformation
