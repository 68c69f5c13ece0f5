# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/sort-object Sort-Object
# snippet:into Save it as a .ps1 file, beside a tickets.csv with the columns Priority, Opened and Title, and run it.
# snippet:needs PowerShell 7
function Select-UrgentTicket {
    # The tickets to begin with: the highest priority first, among equals the oldest.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory, ValueFromPipeline)][psobject]$Ticket,
        [ValidateRange(1, 1000)][int]$First = 10
    )
    begin { $all = [System.Collections.Generic.List[psobject]]::new() }
    process { $all.Add($Ticket) }
    end {
        # What a CSV file holds is text: without the casts, priority 2 would come before priority 10.
        $priority = @{ Expression = { [int]$_.Priority }; Descending = $true }
        $opened = @{ Expression = { [datetime]$_.Opened } }
        $all | Sort-Object -Property $priority, $opened, 'Title' -Stable | Select-Object -First $First
    }
}

Import-Csv -LiteralPath ./tickets.csv | Select-UrgentTicket | Format-Table 'Priority', 'Opened', 'Title'
