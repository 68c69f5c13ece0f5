' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/dateadd-function DateAdd
' snippet:prints in month 5, which is 2026-05
' snippet:prints no end in sight
' snippet:end
Option Explicit

' The first month that ends below zero: =Runway(B1, AVERAGE(B4:B6), AVERAGE(C4:C6), 2%, TODAY()). Income and spending
' are the averages of three months; spending grows by a share each month, income stays as it is.
Function Runway(ByVal Cash As Currency, ByVal Income As Currency, ByVal Spending As Currency, _
                ByVal Growth As Double, ByVal FirstMonth As Date) As String
    Const Longest As Long = 120 ' ten years are for ever
    Dim Passed As Long
    For Passed = 0 To Longest - 1
        Cash = Cash + Income - Spending
        If Cash < 0 Then
            Runway = "in month " & Passed + 1 & ", which is " & Format(DateAdd("m", Passed, FirstMonth), "yyyy-mm")
            Exit Function
        End If
        Spending = Spending * (1 + Growth)
    Next Passed
    Runway = "no end in sight"
End Function
' snippet:check
Sub Check()
    Open "out.txt" For Output As #1
    Print #1, Runway(100, 10, 30, 0.1, DateSerial(2026, 1, 1))
    Print #1, Runway(100, 30, 30, 0, DateSerial(2026, 1, 1))
    Close #1
End Sub
