' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/variant-data-type Variant
' snippet:description Compare the last month of a column with the one twelve months before, so that the season does not look like
' snippet:description growth. Where that month is missing, zero or a loss, there is no growth rate instead of a wrong one. The result
' snippet:description is in percent, rounded once, at the end.
' snippet:prints +20.0 %
' snippet:prints n/a n/a n/a n/a
' snippet:prints 0.0 %
' snippet:end
Option Explicit

' The growth of the last month against the same one a year before, for a column of months without gaps, the
' oldest first: =YearOverYear(B2:B40). No rate, instead of a wrong one, where there is nothing to compare with.
Function YearOverYear(Months As Variant) As String
    Dim Value As Variant, All() As Variant, N As Long
    For Each Value In Months
        N = N + 1
        ReDim Preserve All(1 To N)
        All(N) = Value
    Next Value
    YearOverYear = "n/a"
    If N <= 12 Then Exit Function
    If IsEmpty(All(N)) Or Not IsNumeric(All(N)) Or Not IsNumeric(All(N - 12)) Then Exit Function
    If All(N - 12) <= 0 Then Exit Function ' an empty cell counts as zero
    YearOverYear = Format(Round((All(N) / All(N - 12) - 1) * 100, 1), "+0.0;-0.0;0.0") & " %"
End Function
' snippet:check
Sub Check()
    Open "out.txt" For Output As #1
    Print #1, YearOverYear(Array(9, 50, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 60))
    Print #1, YearOverYear(Array(1, 2)) & " " & YearOverYear(Array(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5)) & " " & _
        YearOverYear(Array(4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, Empty)) & " " & YearOverYear(Array("?", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5))
    Print #1, YearOverYear(Array(10000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9999))
    Close #1
End Sub
