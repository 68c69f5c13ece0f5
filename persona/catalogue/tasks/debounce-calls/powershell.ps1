# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/wait-event Wait-Event
# snippet:title Debounce the changes of a folder
function Watch-Folder {
    # Runs an action with the latest change, once a burst of changes has been quiet for a while.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)][string]$Path,
        [Parameter(Mandatory)][scriptblock]$Action,
        [ValidateRange(1, 3600)][int]$QuietSeconds = 2
    )
    $id = "Watch-Folder-$([guid]::NewGuid())"
    $watcher = [System.IO.FileSystemWatcher]::new((Resolve-Path -LiteralPath $Path).Path)
    Register-ObjectEvent -InputObject $watcher -EventName Changed -SourceIdentifier $id
    try {
        $watcher.EnableRaisingEvents = $true
        while ($true) {
            $change = Wait-Event -SourceIdentifier $id
            while ($change) {
                $latest = $change
                Remove-Event -EventIdentifier $latest.EventIdentifier
                $change = Wait-Event -SourceIdentifier $id -Timeout $QuietSeconds
            }
            & $Action $latest.SourceEventArgs.FullPath
        }
    }
    finally {
        Unregister-Event -SourceIdentifier $id
        $watcher.Dispose()
    }
}
