# snippet:doc https://learn.microsoft.com/en-us/powershell/module/cimcmdlets/get-ciminstance Get-CimInstance
# snippet:needs Windows
function Repair-StoppedService {
    [CmdletBinding(SupportsShouldProcess)]
    param(
        [string[]] $ComputerName, # none: this one, which needs no remoting
        # These stop by themselves when they have nothing to do. Add those of your computers.
        [string[]] $Exclude = @('RemoteRegistry', 'sppsvc', 'gupdate', 'edgeupdate')
    )

    $reasons = @{
        '' = 'no answer'; '0' = 'start accepted'; '2' = 'access denied'; '7' = 'timeout'
        '10' = 'runs already'; '13' = 'a dependency failed'; '15' = 'sign-in failed'
    }
    $query = @{ ClassName = 'Win32_Service'; Filter = "StartMode = 'Auto' AND State = 'Stopped'" }
    if ($ComputerName) { $query.ComputerName = $ComputerName }
    $stopped = Get-CimInstance @query | Where-Object Name -NotIn $Exclude

    foreach ($service in $stopped) {
        if (-not $PSCmdlet.ShouldProcess("$($service.SystemName)\$($service.Name)", 'Start')) { continue }
        # A refusal does not throw, it is a number. 0: accepted; the service may still fail as it starts.
        $code = (Invoke-CimMethod -InputObject $service -MethodName StartService).ReturnValue
        [pscustomobject]@{
            Computer = $service.SystemName
            Service  = $service.Name
            Accepted = $code -in 0, 10
            Reason   = if ($reasons.ContainsKey("$code")) { $reasons["$code"] } else { "code $code" }
        }
    }
}
