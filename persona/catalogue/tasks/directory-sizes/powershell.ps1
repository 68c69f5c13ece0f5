# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.management/get-childitem Get-ChildItem
# snippet:description Add up the files below each subfolder, with all that is in it, and list the largest first in
# snippet:description megabytes. What may not be read is not counted.
function Get-FolderSize {
    # The size of each folder below a path, with all that is in it, largest first.
    [CmdletBinding()]
    param([string]$Path = '.')

    $megabytes = @{ Name = 'Megabytes'; Expression = { [Math]::Round($_.Bytes / 1mb, 1) } } # rounded after sorting
    Get-ChildItem -LiteralPath $Path -Directory -Force | ForEach-Object {
        # What may not be read is not counted, and no reason to stop.
        $files = Get-ChildItem -LiteralPath $_.FullName -File -Recurse -Force -ErrorAction SilentlyContinue
        $total = $files | Measure-Object -Property Length -Sum
        [pscustomobject]@{ Folder = $_.Name; Files = $total.Count; Bytes = [long]$total.Sum }
    } | Sort-Object Bytes -Descending | Select-Object -Property @('Folder', 'Files', $megabytes)
}

Get-FolderSize -Path $HOME | Select-Object -First 10 | Format-Table
