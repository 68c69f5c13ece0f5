# snippet:needs PowerShell 7.2
# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/get-filehash Get-FileHash
#Requires -Version 7.2
$ErrorActionPreference = 'Stop' # a list or file that cannot be read is an error, too

function Test-ChecksumList {
    # Checks every file that a SHA256SUMS list names.
    [CmdletBinding()]
    param([Parameter(Mandatory)][string]$List)

    $folder = Split-Path -Parent (Resolve-Path -LiteralPath $List).Path
    foreach ($line in Get-Content -LiteralPath $List) {
        if ($line -notmatch '^(?<hash>[0-9a-f]{64}) [ *](?<name>.+)$') {
            throw "not a line of a checksum list: $line"
        }
        $name, $expected = $Matches.name, $Matches.hash
        $file = Join-Path $folder $name
        $status = if (-not (Test-Path -LiteralPath $file -PathType Leaf)) { 'missing' }
        elseif ((Get-FileHash -LiteralPath $file -Algorithm SHA256).Hash -eq $expected) { 'unchanged' }
        else { 'changed' }
        [pscustomobject]@{ Name = $name; Status = $status }
    }
}

$bad = Test-ChecksumList -List ./SHA256SUMS | Where-Object Status -NE 'unchanged'
$bad | Format-Table
exit [int][bool]$bad
