' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/strcomp-function StrComp
' snippet:prints Ada 91, bea 91, Carl 70
' snippet:end
Option Explicit

' Sorts rows of name and points: the most points first, then by name in any case. By insertion, so rows that
' are equal keep their order; for thousands of rows use Range.Sort.
Sub SortPlayers(Players As Variant)
    Dim I As Long, J As Long, Moving As Variant
    For I = LBound(Players) + 1 To UBound(Players)
        Moving = Players(I)
        J = I - 1
        Do While J >= LBound(Players)
            If Not ComesBefore(Moving, Players(J)) Then Exit Do
            Players(J + 1) = Players(J)
            J = J - 1
        Loop
        Players(J + 1) = Moving
    Next I
End Sub

Private Function ComesBefore(A As Variant, B As Variant) As Boolean
    If A(1) <> B(1) Then
        ComesBefore = A(1) > B(1)
    Else
        ComesBefore = StrComp(A(0), B(0), vbTextCompare) < 0
    End If
End Function
' snippet:check
Sub Check()
    Dim Players As Variant
    Players = Array(Array("Carl", 70), Array("bea", 91), Array("Ada", 91))
    SortPlayers Players
    Open "out.txt" For Output As #1
    Print #1, Players(0)(0) & " " & Players(0)(1) & ", " & Players(1)(0) & " " & Players(1)(1) & ", " & Players(2)(0) & " " & Players(2)(1)
    Close #1
End Sub
