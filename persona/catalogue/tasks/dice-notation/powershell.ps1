# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/get-random Get-Random
# snippet:needs PowerShell 7
function Invoke-DiceRoll {
    # Rolls "3d6+2". A seed makes the luck repeatable.
    param(
        [Parameter(Mandatory)]
        [ValidatePattern('^([1-9][0-9]?)?d[1-9][0-9]{0,2}([+-][0-9]{1,3})?\z', ErrorMessage = 'Not a roll: {0}')]
        [string] $Notation,
        [int] $Seed = (Get-Random)
    )
    $null = $Notation -match '^(?<Number>\d*)d(?<Sides>\d+)(?<Plus>[+-]\d+)?$'
    $random = [random]::new($Seed)
    $dice = 1..[math]::Max(1, [int]$Matches.Number) | ForEach-Object { $random.Next(1, [int]$Matches.Sides + 1) }
    [pscustomobject]@{
        Roll = $Notation
        Dice = $dice -join ', '
        Sum  = ($dice | Measure-Object -Sum).Sum + [int]$Matches.Plus
    }
}

Invoke-DiceRoll -Notation '3d6+2' -Seed 7
