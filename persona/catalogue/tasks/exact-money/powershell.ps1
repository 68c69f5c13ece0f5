# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_numeric_literals Numeric literals
# snippet:description Split an amount of `[decimal]` by weights without floating point; fractions of a cent are refused. A running
# snippet:description share of the whole is rounded down, and each part is what it grows by: less than a cent from its exact
# snippet:description share, and the parts add up to the whole.
function Split-Amount {
    # Splits an amount by weights, so that the parts add up to exactly the amount.
    [CmdletBinding()]
    [OutputType([decimal])]
    param(
        [Parameter(Mandatory)][ValidateRange(0, 1e12)][decimal]$Amount,
        [Parameter(Mandatory)][ValidateRange(1, 1000000)][int[]]$Weight
    )
    $cents = $Amount * 100
    if ($cents -ne [Math]::Truncate($cents)) { throw "$Amount has fractions of a cent" }
    $all = [decimal]($Weight | Measure-Object -Sum).Sum
    $soFar = $given = [decimal]0
    foreach ($w in $Weight) {
        $soFar += $w
        $part = [Math]::Floor($cents * $soFar / $all) - $given # due so far, less what went before: nothing gets lost
        $part / 100
        $given += $part
    }
}

Split-Amount -Amount 100 -Weight 1, 1, 1 # [decimal] is exact: 33.33, 33.33, 33.34
