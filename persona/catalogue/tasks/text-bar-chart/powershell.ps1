# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/group-object Group-Object
function Format-BarChart {
    # Draws one bar of characters for each object, scaled to the largest value.
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory, ValueFromPipeline)][psobject]$InputObject,
        [Parameter(Mandatory)][string]$Label,
        [Parameter(Mandatory)][string]$Value,
        [ValidateRange(1, 200)][int]$Width = 40
    )
    begin { $rows = [System.Collections.Generic.List[psobject]]::new() }
    process { $rows.Add($InputObject) }
    end {
        $most = ($rows | Measure-Object -Property $Value -Maximum).Maximum
        $column = ($rows | ForEach-Object { "$($_.$Label)".Length } | Measure-Object -Maximum).Maximum
        foreach ($row in $rows) {
            $length = if ($most -gt 0) { [int]($Width * [Math]::Max(0.0, [double]($row.$Value / $most))) } else { 0 }
            '{0} {1} {2}' -f "$($row.$Label)".PadRight($column), ('#' * $length), $row.$Value
        }
    }
}

Get-ChildItem -File -Recurse | Group-Object Extension | Sort-Object Count -Descending |
    Select-Object -First 10 | Format-BarChart -Label Name -Value Count
