# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/measure-command Measure-Command
function Get-Percentile {
    # The smallest value that at least the given percentage of all values does not exceed (nearest rank).
    [CmdletBinding()]
    [OutputType([double])]
    param(
        [Parameter(Mandatory)][double[]]$Value,
        [Parameter(Mandatory)][ValidateRange(0.0, 100.0)][double]$Percent
    )
    $sorted = [double[]]($Value | Sort-Object)
    $rank = [Math]::Max(1, [Math]::Ceiling($Percent * $sorted.Count / 100 - 1e-7)) # 99.9 * 41000 / 100 is above 40959
    $sorted[[int]$rank - 1]
}

$milliseconds = 1..100 | ForEach-Object {
    (Measure-Command { Get-ChildItem -LiteralPath $HOME | Out-Null }).TotalMilliseconds
}
foreach ($percent in 50, 95, 99) {
    'p{0}: {1:N2} ms' -f $percent, (Get-Percentile -Value $milliseconds -Percent $percent)
}
# snippet:check
if ((Get-Percentile -Value (1..41000) -Percent 99.9) -ne 40959) { throw '99.9 percent of 41,000' }
