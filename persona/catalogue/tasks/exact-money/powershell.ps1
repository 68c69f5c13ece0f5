# snippet:doc https://learn.microsoft.com/en-us/powershell/module/microsoft.powershell.core/about/about_numeric_literals Numeric literals
# snippet:description Split an amount of `[decimal]` by weights without floating point; fractions of a cent are refused. Each part
# snippet:description is a share of what is still left, so the last one takes the rest and the parts add up to the whole.
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
    $leftCents = $cents
    $leftWeight = [decimal]($Weight | Measure-Object -Sum).Sum
    foreach ($w in $Weight) {
        $part = [Math]::Floor($leftCents * $w / $leftWeight) # a share of what is left: nothing gets lost
        $part / 100
        $leftCents -= $part
        $leftWeight -= $w
    }
}

Split-Amount -Amount 100 -Weight 1, 1, 1 # [decimal] is exact: 33.33, 33.33, 33.34
