# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.utility/wait-event Wait-Event
# snippet:title Debounce the writes to a folder
# snippet:description Wait until nothing in a folder has been written for a moment, and then act once, with the path
# snippet:description that was written last. Each write starts the wait anew; files that are only renamed or deleted do
# snippet:description not count.
# snippet:why Editors and builds may write a file several times for one change.
function Watch-Folder {
    # Runs an action with the latest path, once a burst of writes has been quiet for a while. An action that
    # writes into the folder itself is called again and again.
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
