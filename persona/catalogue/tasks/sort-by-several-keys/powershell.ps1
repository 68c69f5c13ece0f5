# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/sort-object Sort-Object
$csv = @'
Id,Priority,Opened,Title
17,2,2025-03-04,Printer on floor 2
18,3,2025-03-01,Nobody can log in
21,3,2025-02-27,Backup did not finish
22,2,2025-03-04,New keyboard
'@

# What a CSV file holds is text: without the casts, priority 10 would come before priority 2.
$order = @(
    @{ Expression = { [int]$_.Priority }; Descending = $true }
    @{ Expression = { [datetime]$_.Opened } }
    'Title'
)
$csv | ConvertFrom-Csv | Sort-Object -Property $order -Stable | Format-Table Priority, Opened, Title
