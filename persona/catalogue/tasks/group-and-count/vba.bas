' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/collection-object Collection object
' snippet:prints Rome: 2, 600
' snippet:prints Bath: 1, 900
' snippet:end
Option Explicit

' Counts and sums rows of city and cents: one row of city, count and cents for each city, in the order in which
' they appear. A Collection finds a city's place by its name and, unlike Scripting.Dictionary, is on every computer.
Function TotalsByCity(Rows As Variant) As Variant
    Dim Places As New Collection, Totals() As Variant, Row As Variant, Place As Long
    For Each Row In Rows
        Place = 0
        On Error Resume Next ' only for this line: an unknown name is an error
        Place = Places(Row(0))
        On Error GoTo 0
        If Place = 0 Then
            Place = Places.Count + 1
            Places.Add Place, Row(0)
            ReDim Preserve Totals(1 To Place)
            Totals(Place) = Array(Row(0), 0, 0)
        End If
        Totals(Place) = Array(Row(0), Totals(Place)(1) + 1, Totals(Place)(2) + Row(1))
    Next Row
    TotalsByCity = Totals
End Function
' snippet:check
Sub Check()
    Dim T As Variant, I As Long
    Open "out.txt" For Output As #1
    T = TotalsByCity(Array(Array("Rome", 200), Array("Bath", 900), Array("Rome", 400)))
    For I = 1 To UBound(T)
        Print #1, T(I)(0) & ": " & T(I)(1) & ", " & T(I)(2)
    Next I
    Close #1
End Sub
