# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_try_catch_finally try, catch, finally
function Invoke-WithRetry {
    # Runs a script block again while it throws, after random pauses whose limit doubles up to 30 seconds.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)][scriptblock]$Action,
        [ValidateRange(1, 20)][int]$Attempts = 5,
        [ValidateRange(1, 10000)][int]$FirstMilliseconds = 200
    )
    for ($attempt = 1; $attempt -le $Attempts; $attempt++) {
        try {
            $result = & $Action # held back: a failed attempt leaves no output behind
            return $result
        }
        catch {
            $failure = $_
            if ($attempt -eq $Attempts) { break }
            $longest = [Math]::Min(30000, $FirstMilliseconds * [Math]::Pow(2, $attempt - 1))
            $pause = Get-Random -Minimum 1 -Maximum ([int]$longest + 1) # jitter: clients do not come back in step
            Write-Warning "attempt $attempt of ${Attempts}: $($_.Exception.Message); again in $pause ms"
            Start-Sleep -Milliseconds $pause
        }
    }
    throw $failure
}

Invoke-WithRetry { Invoke-RestMethod 'https://api.example.com/status' -TimeoutSec 5 }
