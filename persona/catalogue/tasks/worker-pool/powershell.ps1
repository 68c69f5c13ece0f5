# snippet:needs PowerShell 7.2
# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/foreach-object ForEach-Object -Parallel
#Requires -Version 7.2

function Resolve-HostName {
    # Looks up many names, a few at a time; a name that fails does not stop the others.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)][string[]]$Name,
        [ValidateRange(1, 64)][int]$ThrottleLimit = 8
    )
    $jobs = for ($i = 0; $i -lt $Name.Count; $i++) { [pscustomobject]@{ Order = $i; Name = $Name[$i] } }

    $jobs | ForEach-Object -ThrottleLimit $ThrottleLimit -Parallel {
        $job = $_
        $result = [ordered]@{ Order = $job.Order; Name = $job.Name; Addresses = @(); Problem = $null }
        try {
            $result.Addresses = [System.Net.Dns]::GetHostAddresses($job.Name)
        }
        catch {
            $result.Problem = $_.Exception.Message
        }
        [pscustomobject]$result
    } | Sort-Object Order | Select-Object -ExcludeProperty Order # they arrive as they get ready
}

Resolve-HostName 'localhost', 'www.example.com', 'no-such-host.example.com' | Format-Table
