# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.diagnostics/get-winevent Get-WinEvent
# snippet:needs Windows
#Requires -RunAsAdministrator

function Get-FailedLogon {
    [CmdletBinding()]
    param(
        [datetime] $Since = (Get-Date).AddDays(-1),
        [string] $ComputerName = $env:COMPUTERNAME
    )

    # Filtered by the event log itself: Where-Object would read all events first.
    $filter = @{ LogName = 'Security'; Id = 4625; StartTime = $Since }
    try {
        $events = Get-WinEvent -FilterHashtable $filter -ComputerName $ComputerName -ErrorAction Stop
    }
    catch {
        if ($_.FullyQualifiedErrorId -like 'NoMatchingEventsFound*') { return } # nobody failed: no error
        throw
    }

    $failures = foreach ($record in $events) {
        $data = @{}
        foreach ($item in ([xml] $record.ToXml()).Event.EventData.Data) { $data[$item.Name] = $item.'#text' }
        "$($data.TargetUserName) from $($data.IpAddress)"
    }
    $failures |
        Group-Object -NoElement |
        Sort-Object -Property Count -Descending
}
