# snippet:needs PowerShell 7.2
# snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.io.file.move File.Move
#Requires -Version 7.2
function Set-ContentAtomic {
    # Replaces a text file in one step: readers see the old content or the new one, never half of it. The permissions
    # are those of any new file.
    [CmdletBinding(SupportsShouldProcess)]
    param(
        [Parameter(Mandatory)][string]$Path,
        [Parameter(Mandatory)][AllowEmptyString()][string]$Value
    )
    $target = $PSCmdlet.GetUnresolvedProviderPathFromPSPath($Path)
    $draft = "$target.$([guid]::NewGuid()).tmp" # the same folder: a rename cannot cross file systems
    if (-not $PSCmdlet.ShouldProcess($target, 'replace')) { return }
    try {
        $stream = [System.IO.File]::Create($draft)
        try {
            $bytes = [System.Text.Encoding]::UTF8.GetBytes($Value)
            $stream.Write($bytes, 0, $bytes.Length)
            $stream.Flush($true) # down to the disk
        }
        finally { $stream.Dispose() }
        [System.IO.File]::Move($draft, $target, $true)
    }
    catch {
        Remove-Item -LiteralPath $draft -ErrorAction Ignore -Confirm:$false
        throw
    }
}
