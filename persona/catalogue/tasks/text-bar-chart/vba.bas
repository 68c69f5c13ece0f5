' snippet:check
' snippet:why A bar beside each number, without a chart.
' snippet:description A function for a worksheet: it draws a value as a bar of characters, scaled to the largest value, which is
' snippet:description handed in. The rest of the width is filled with hyphens.
' snippet:title A bar within a cell
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/string-function String function
' snippet:prints ######------
' snippet:prints ############
' snippet:prints ------------
' snippet:prints ############
' snippet:end
Option Explicit

' A bar within a cell: =CellBar(B2, MAX(B:B), 12). With a font such as Consolas the bars are of equal width.
' The largest value fills the width; what is below zero or no number has no bar.
Function CellBar(ByVal Value As Variant, ByVal Largest As Variant, ByVal Width As Long) As String
    Dim Share As Double, Filled As Long
    If IsNumeric(Value) And IsNumeric(Largest) Then
        If Largest > 0 Then Share = Value / Largest
    End If
    If Share < 0 Then Share = 0
    If Share > 1 Then Share = 1 ' before it is a Long, which may overflow
    Filled = CLng(Share * Width)
    CellBar = String(Filled, "#") & String(Width - Filled, "-")
End Function
' snippet:check
Sub Check()
    Open "out.txt" For Output As #1
    Print #1, CellBar(10, 20, 12)
    Print #1, CellBar(20, 20, 12)
    Print #1, CellBar("none", 20, 12)
    Print #1, CellBar(1E+12, 1, 12)
    Close #1
End Sub
