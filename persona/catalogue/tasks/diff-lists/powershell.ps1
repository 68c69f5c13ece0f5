# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_hash_tables Hash tables
function Compare-Record {
    # What was added, removed or changed between two lists of records with a common key. Properties are single values;
    # text that differs by a soft hyphen or the like is the same to -cne.
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)][AllowEmptyCollection()][psobject[]]$Before,
        [Parameter(Mandatory)][AllowEmptyCollection()][psobject[]]$After,
        [Parameter(Mandatory)][string]$Key,
        [Parameter(Mandatory)][string[]]$Property
    )
    $old = [hashtable]::new([StringComparer]::Ordinal) # @{} would take "a" and "A" for the same key
    foreach ($record in $Before) { $old["$($record.$Key)"] = $record }

    foreach ($new in $After) {
        $id = "$($new.$Key)" # as text: 7 from JSON and "7" from CSV are the same key
        $was = $old[$id]
        $old.Remove($id)
        if (-not $was) {
            [pscustomobject]@{ Change = 'added'; Key = $id; Properties = $Property }
            continue
        }
        $different = @($Property | Where-Object { $was.$_ -cne $new.$_ })
        if ($different) { [pscustomobject]@{ Change = 'changed'; Key = $id; Properties = $different } }
    }
    foreach ($id in $old.get_Keys() | Sort-Object) { # $old.Keys would be the record with the key Keys
        [pscustomobject]@{ Change = 'removed'; Key = $id; Properties = $Property }
    }
}
