' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/collection-object Collection object
' snippet:prints Bath: 1, 900
' snippet:prints Rome: 2, 600
' snippet:prints 7: 1, 5
' snippet:prints -1
' snippet:end
Option Explicit

' Counts and sums rows of city and cents: a row of city, count and cents for each city, the largest sum first.
' A Collection finds a city's place by its name, in capitals or not; unlike Scripting.Dictionary, a Mac has it too.
Function TotalsByCity(Rows As Variant) As Variant
    Dim Places As New Collection, Totals() As Variant, Row As Variant
    Dim Place As Long, I As Long, Name As String
    For Each Row In Rows
        Name = CStr(Row(0)) ' a number would be taken for a place
        Place = 0
        On Error Resume Next ' only for this line: an unknown name is an error
        Place = Places(Name)
        On Error GoTo 0
        If Place = 0 Then
            Place = Places.Count + 1
            Places.Add Place, Name
            ReDim Preserve Totals(1 To Place)
            Totals(Place) = Array(Name, 0, 0)
        End If
        Totals(Place) = Array(Name, Totals(Place)(1) + 1, Totals(Place)(2) + Row(1))
    Next Row
    For Place = 2 To Places.Count ' insertion: cities with equal sums keep their order
        Row = Totals(Place)
        For I = Place - 1 To 1 Step -1
            If Totals(I)(2) >= Row(2) Then Exit For
            Totals(I + 1) = Totals(I)
        Next I
        Totals(I + 1) = Row
    Next Place
    If Places.Count > 0 Then TotalsByCity = Totals Else TotalsByCity = Array()
End Function
' snippet:check
Sub Check()
    Dim T As Variant, I As Long
    Open "out.txt" For Output As #1
    T = TotalsByCity(Array(Array("Rome", 200), Array("Bath", 900), Array("Rome", 400), Array(7, 5)))
    For I = 1 To UBound(T)
        Print #1, T(I)(0) & ": " & T(I)(1) & ", " & T(I)(2)
    Next I
    Print #1, CStr(UBound(TotalsByCity(Array())))
    Close #1
End Sub
