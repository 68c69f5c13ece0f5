# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/measure-object Measure-Object
function Group-Reading {
    # Count, mean and extremes of readings (Time, Value) in equal intervals; gaps have count 0.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)][psobject[]]$Reading,
        [ValidateScript({ $_.Ticks -gt 0 })][timespan]$Interval = '00:05:00'
    )
    $ErrorActionPreference = 'Stop' # a time that cannot be read must not count for the bucket before
    $buckets = @{}
    foreach ($r in $Reading) {
        $ticks = ([datetime]$r.Time).ToUniversalTime().Ticks # UTC has no daylight saving time
        $start = $ticks - $ticks % $Interval.Ticks
        if ("$($r.Value)" -eq '') { throw "no value at $($r.Time)" } # else it would be 0
        if (-not $buckets.ContainsKey($start)) { $buckets[$start] = [System.Collections.Generic.List[double]]::new() }
        $buckets[$start].Add($r.Value)
    }
    $starts = @($buckets.Keys | Sort-Object)
    for ($t = $starts[0]; $t -le $starts[-1]; $t += $Interval.Ticks) {
        $stats = $buckets[$t] | Measure-Object -Average -Minimum -Maximum
        [pscustomobject]@{
            Start = [datetime]::new($t, [DateTimeKind]::Utc)
            Count = $stats.Count
            Mean  = $stats.Average
            Min   = $stats.Minimum
            Max   = $stats.Maximum
        }
    }
}
