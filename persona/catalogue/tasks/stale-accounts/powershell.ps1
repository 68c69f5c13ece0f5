# snippet:doc https://learn.microsoft.com/en-us/powershell/module/activedirectory/get-aduser Get-ADUser
# snippet:needs PowerShell 5.1 with the ActiveDirectory module
function Disable-StaleAccount {
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'High')]
    param(
        [ValidateRange(30, 3650)] [int] $Days = 90,
        [string] $ExemptGroup = 'Stale account exemptions'
    )

    $ErrorActionPreference = 'Stop' # if the exempt cannot be read, nobody is disabled
    # LastLogonDate comes from lastLogonTimestamp, which lags behind by up to two weeks: hence 14 days more.
    $limit = (Get-Date).AddDays(-$Days - 14)
    $exempt = (Get-ADGroupMember -Identity $ExemptGroup -Recursive).SID.Value

    $stale = Get-ADUser -Filter "Enabled -eq 'True'" -Properties @('LastLogonDate', 'whenCreated', 'Description') |
        Where-Object {
            $_.whenCreated -lt $limit -and
            ($null -eq $_.LastLogonDate -or $_.LastLogonDate -lt $limit) -and
            $_.SID.Value -notin $exempt
        }

    foreach ($account in $stale) {
        if ($PSCmdlet.ShouldProcess($account.SamAccountName, "Disable, last seen $($account.LastLogonDate)")) {
            $note = "Disabled $(Get-Date -Format yyyy-MM-dd): no sign-in for $Days days. $($account.Description)"
            try { Set-ADUser -Identity $account -Enabled $false -Description $note }
            catch { Write-Error -ErrorRecord $_ -ErrorAction Continue } # and go on with the others
        }
        $account | Select-Object -Property @('SamAccountName', 'LastLogonDate', 'DistinguishedName')
    }
}
