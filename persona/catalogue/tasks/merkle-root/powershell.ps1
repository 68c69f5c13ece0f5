# snippet:needs PowerShell 7.2
# snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.sha256.hashdata SHA256.HashData
#Requires -Version 7.2
using namespace System.Security.Cryptography
using namespace System.Collections.Generic

function Get-MerkleRoot {
    # One hash, in hexadecimal, that stands for all records (RFC 6962).
    [CmdletBinding()]
    [OutputType([string])]
    param([Parameter(Mandatory)][AllowEmptyString()][string[]]$Record)

    # Leaves and nodes begin with different bytes, so that a node cannot pass for a leaf.
    $level = [List[byte[]]]::new()
    foreach ($text in $Record) {
        $level.Add([SHA256]::HashData([byte[]](@(0) + [System.Text.Encoding]::UTF8.GetBytes($text))))
    }
    while ($level.Count -gt 1) {
        $above = [List[byte[]]]::new()
        for ($i = 0; $i + 1 -lt $level.Count; $i += 2) {
            $above.Add([SHA256]::HashData([byte[]](@(1) + $level[$i] + $level[$i + 1])))
        }
        if ($level.Count % 2) { $above.Add($level[$level.Count - 1]) } # a single one moves up
        $level = $above
    }
    [Convert]::ToHexString($level[0])
}
