# snippet:doc https://learn.microsoft.com/en-us/powershell/module/cimcmdlets/get-ciminstance Get-CimInstance
# snippet:needs PowerShell 5.1
function Repair-StoppedService {
    [CmdletBinding(SupportsShouldProcess)]
    param(
        [string[]] $ComputerName = $env:COMPUTERNAME,
        # Trigger-start services stop by themselves when they have nothing to do.
        [string[]] $Exclude = @('RemoteRegistry', 'sppsvc', 'gupdate', 'edgeupdate')
    )

    $stopped = Get-CimInstance -ClassName Win32_Service -ComputerName $ComputerName `
        -Filter "StartMode = 'Auto' AND State <> 'Running' AND DelayedAutoStart = FALSE" |
        Where-Object Name -NotIn $Exclude

    foreach ($service in $stopped) {
        if (-not $PSCmdlet.ShouldProcess("$($service.PSComputerName)\$($service.Name)", 'Start')) { continue }
        # The method does not throw: its number says how it went, and 0 is well.
        $code = (Invoke-CimMethod -InputObject $service -MethodName StartService).ReturnValue
        [pscustomobject]@{
            Computer = $service.PSComputerName
            Service  = $service.Name
            Started  = $code -eq 0
            Code     = $code
        }
    }
}
