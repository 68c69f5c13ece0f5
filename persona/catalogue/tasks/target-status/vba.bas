' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/select-case-statement Select Case
' snippet:prints met near missed
' snippet:prints near no target
' snippet:end
Option Explicit

' A formula for the sheet: =TargetStatus(B2, C2) or, where less is better, =TargetStatus(B2, C2, TRUE).
' Near means within ten percent on the wrong side.
Function TargetStatus(ByVal Reached As Double, ByVal Target As Double, _
                      Optional ByVal LessIsBetter As Boolean = False) As String
    Dim Shortfall As Double ' as a share of the target; below zero if it is surpassed

    If Target = 0 Then
        TargetStatus = "no target"
        Exit Function
    End If
    Shortfall = (Target - Reached) / Abs(Target)
    If LessIsBetter Then Shortfall = -Shortfall

    Select Case Round(Shortfall, 9) ' 0.1 has no exact binary form
        Case Is <= 0: TargetStatus = "met"
        Case Is <= 0.1: TargetStatus = "near"
        Case Else: TargetStatus = "missed"
    End Select
End Function
' snippet:check
Sub Check()
    Open "out.txt" For Output As #1
    Print #1, TargetStatus(103, 100) & " " & TargetStatus(90, 100) & " " & TargetStatus(115, 100, True)
    Print #1, TargetStatus(110, 100, True) & " " & TargetStatus(1, 0)
    Close #1
End Sub
