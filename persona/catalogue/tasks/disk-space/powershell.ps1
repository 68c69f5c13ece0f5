# snippet:doc https://learn.microsoft.com/en-us/windows/win32/cimwin32prov/win32-logicaldisk Win32_LogicalDisk
# snippet:needs Windows
function Get-LowDisk {
    [CmdletBinding()]
    param(
        [Parameter(ValueFromPipeline)] [string[]] $ComputerName, # none: this one, which needs no remoting
        [ValidateRange(1, 99)] [int] $BelowPercent = 15,
        [int] $BelowGB = 20
    )

    begin { $gigabyte = [math]::Pow(1024, 3); $computers = @() }
    process { if ($ComputerName) { $computers += $ComputerName } }
    end {
        $query = @{ ClassName = 'Win32_LogicalDisk'; Filter = 'DriveType = 3 AND Size > 0' } # locked ones have no size
        if ($computers) { $query.ComputerName = $computers }
        # All computers at once; one that does not answer is an error of its own and does not stop the others.
        Get-CimInstance @query |
            Where-Object { $_.FreeSpace -lt $BelowGB * $gigabyte -and $_.FreeSpace -lt $_.Size * $BelowPercent / 100 } |
            ForEach-Object {
                [pscustomobject]@{ # numbers, so that they can be sorted, compared and mailed
                    Computer    = $_.SystemName
                    Drive       = $_.DeviceID
                    FreeGB      = [math]::Round($_.FreeSpace / $gigabyte, 1)
                    FreePercent = [math]::Round(100 * $_.FreeSpace / $_.Size, 1)
                }
            } |
            Sort-Object -Property FreePercent
    }
}
