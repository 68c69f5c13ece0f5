# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/sort-object Sort-Object
function Sort-Ticket {
    <# .SYNOPSIS The most urgent tickets first, among equals the oldest; for tickets of a CSV file too. #>
    [CmdletBinding()]
    param([Parameter(Mandatory, ValueFromPipeline)][psobject]$Ticket)

    begin { $all = [System.Collections.Generic.List[psobject]]::new() }
    process { $all.Add($Ticket) }
    end {
        # What a CSV file holds is text: without the casts, priority 10 would come before priority 2.
        $priority = @{ Expression = { [int]$_.Priority }; Descending = $true }
        $opened = @{ Expression = { [datetime]$_.Opened } }
        $all | Sort-Object -Property $priority, $opened, Title -Stable
    }
}

Import-Csv -LiteralPath ./tickets.csv | Sort-Ticket | Format-Table Priority, Opened, Title
