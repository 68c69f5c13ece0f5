' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/collection-object Collection object
' snippet:prints 2 of 3 kept: ann@example.com 2026-02-01; bob@example.com 2026-01-15
' snippet:prints 3 without an address
' snippet:end
Option Explicit

' Keeps the newest row for each address; rows are address and date. Spaces and case do not make an address another.
Function NewestByAddress(Rows As Variant) As Collection
    Dim Kept As New Collection, Row As Variant, Known As Variant, Address As String, Key As String
    For Each Row In Rows
        Address = LCase(Trim(Row(0)))
        Key = Address
        If Key = "" Then Key = "row " & Kept.Count ' without an address, nothing says that two are the same
        Known = Empty
        On Error Resume Next ' only for this line: an unknown key is an error
        Known = Kept(Key)
        On Error GoTo 0
        If IsEmpty(Known) Then
            Kept.Add Array(Address, Row(1)), Key
        ElseIf Row(1) > Known(1) Then
            Kept.Remove Key ' a Collection cannot replace
            Kept.Add Array(Address, Row(1)), Key
        End If
    Next Row
    Set NewestByAddress = Kept
End Function
' snippet:check
Sub Check()
    Dim Rows As Variant, Kept As Collection
    Rows = Array(Array("Ann@example.com ", DateSerial(2026, 1, 1)), Array("ann@example.com", DateSerial(2026, 2, 1)), Array("bob@example.com", DateSerial(2026, 1, 15)))
    Set Kept = NewestByAddress(Rows)
    Open "out.txt" For Output As #1
    Print #1, Kept.Count & " of 3 kept: " & Show(Kept("ann@example.com")) & "; " & Show(Kept("bob@example.com"))
    Print #1, NewestByAddress(Array(Array("", 1), Array(" ", 2), Array("", 3))).Count & " without an address"
    Close #1
End Sub
Function Show(Row As Variant) As String
    Show = Row(0) & " " & Format(Row(1), "yyyy-mm-dd")
End Function
