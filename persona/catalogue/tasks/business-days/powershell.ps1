# snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.datetime.adddays DateTime.AddDays
# snippet:title Add working days to a date
# snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
# snippet:description not count.
function Add-BusinessDay {
    # The date that lies a number of working days after another one.
    [CmdletBinding()]
    [OutputType([datetime])]
    param(
        [Parameter(Mandatory)][datetime]$Date,
        [Parameter(Mandatory)][ValidateRange(0, 10000)][int]$Days,
        [datetime[]]$Holiday = @()
    )
    $free = [System.Collections.Generic.HashSet[datetime]]::new([datetime[]]@($Holiday | ForEach-Object Date))
    $day = $Date.Date
    while ($Days -gt 0) {
        $day = $day.AddDays(1)
        if ($day.DayOfWeek -notin 'Saturday', 'Sunday' -and -not $free.Contains($day)) {
            $Days--
        }
    }
    $day
}

# Five working days from the Wednesday before Easter 2025, with Good Friday and Easter Monday off.
$due = Add-BusinessDay -Date '2025-04-16' -Days 5 -Holiday '2025-04-18', '2025-04-21'
$due.ToString('yyyy-MM-dd', [cultureinfo]::InvariantCulture) # 2025-04-25
