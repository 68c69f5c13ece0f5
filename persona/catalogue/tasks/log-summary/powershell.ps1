# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_switch switch -Regex -File
# snippet:into Save it as a .ps1 file beside service.log, and run it.
# snippet:needs PowerShell 7
function Get-ErrorCount {
    <#
    .SYNOPSIS
        Counts the errors of each hour in a log whose lines begin "2025-03-04T10:15:30Z ERROR ...".
    #>
    [CmdletBinding()]
    param([Parameter(Mandatory)][string]$Path)

    $perHour = [System.Collections.Generic.SortedDictionary[string, int]]::new()
    # switch reads the file line by line, and not as a whole; it would take [1] in a name for a pattern.
    switch -Regex -File ([WildcardPattern]::Escape((Resolve-Path -LiteralPath $Path).Path)) {
        '^(?<hour>\d{4}-\d{2}-\d{2}T\d{2}):\d{2}:\d{2}\S*\s+(?<severity>[A-Z]+)\b' {
            if (-not $perHour.ContainsKey($Matches.hour)) { $perHour[$Matches.hour] = 0 }
            if ($Matches.severity -in 'ERROR', 'FATAL') { $perHour[$Matches.hour]++ }
        }
    }
    foreach ($entry in $perHour.GetEnumerator()) {
        [pscustomobject]@{ Hour = $entry.Key; Errors = $entry.Value }
    }
}

Get-ErrorCount ./service.log | Where-Object Errors -gt 0 | Format-Table
