# snippet:doc https://learn.microsoft.com/en-us/powershell/scripting/learn/deep-dives/everything-about-shouldprocess ShouldProcess
# snippet:needs PowerShell 5.1
function Remove-OldFile {
    [CmdletBinding(SupportsShouldProcess)]
    param(
        [Parameter(Mandatory)] [ValidateScript({ Test-Path -LiteralPath $_ -PathType Container })] [string] $Folder,
        [string] $Filter = '*.log',
        [ValidateRange(1, 3650)] [int] $Days = 30,
        [datetime] $Now = (Get-Date)
    )

    Get-ChildItem -LiteralPath $Folder -Filter $Filter -File |
        Where-Object { $_.Name -like $Filter } | # -Filter *.log finds app.log2 too, by its short name
        Where-Object { $_.LastWriteTime -lt $Now.AddDays(-$Days) -and $_.LinkType -ne 'SymbolicLink' } |
        ForEach-Object {
            $file = $_ # within catch, $_ is the error
            $result = 'would be deleted'
            if ($PSCmdlet.ShouldProcess($file.FullName, 'Delete')) {
                try {
                    Remove-Item -LiteralPath $file.FullName -ErrorAction Stop # -LiteralPath: names may hold [ and ]
                    $result = 'deleted'
                }
                catch { $result = $_.Exception.Message } # in use, perhaps: reported, and the others go on
            }
            [pscustomobject]@{ File = $file.FullName; Result = $result }
        }
}
