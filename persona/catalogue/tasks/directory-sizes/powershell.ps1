# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.management/get-childitem Get-ChildItem
# snippet:description Add up the files below each subfolder, with all that is in it, and list the largest first in megabytes. A
# snippet:description folder that may not be read is left out.
function Get-FolderSize {
    # The size of each folder below a path, with all that is in it, largest first.
    [CmdletBinding()]
    param([string]$Path = '.')

    Get-ChildItem -LiteralPath $Path -Directory -Force | ForEach-Object {
        # A folder that may not be read is left out, not a reason to stop.
        $files = Get-ChildItem -LiteralPath $_.FullName -File -Recurse -Force -ErrorAction SilentlyContinue
        $total = $files | Measure-Object -Property Length -Sum
        [pscustomobject]@{
            Folder    = $_.Name
            Files     = $total.Count
            Megabytes = [Math]::Round($total.Sum / 1mb, 1)
        }
    } | Sort-Object Megabytes -Descending
}

Get-FolderSize -Path $HOME | Select-Object -First 10 | Format-Table
