' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/currency-data-type Currency data type
' snippet:prints 1: 34.00, 1.00 interest, 67.00 left
' snippet:prints 2: 34.00, 0.67 interest, 33.67 left
' snippet:prints 3: 34.01, 0.34 interest, 0.00 left
' snippet:end
Option Explicit

' The plan of a loan with the same payment each month: rows of payment, interest and balance.
' Currency counts ten-thousandths exactly, unlike Double; the rate is a Double all the same.
Function Schedule(ByVal Balance As Currency, ByVal MonthlyRate As Double, ByVal Months As Long) As Collection
    Dim Plan As New Collection, Payment As Currency, Interest As Currency, I As Long
    If MonthlyRate = 0 Then
        Payment = Round(Balance / Months, 2)
    Else
        Payment = Round(CDbl(Balance) * MonthlyRate / (1 - (1 + MonthlyRate) ^ -Months), 2) ' as Pmt, without its sign
    End If
    For I = 1 To Months
        Interest = Round(Balance * MonthlyRate, 2)
        If I = Months Then Payment = Balance + Interest ' the last one settles what rounding left over
        Balance = Balance + Interest - Payment
        Plan.Add Array(Payment, Interest, Balance)
    Next I
    Set Schedule = Plan
End Function
' snippet:check
Sub Check()
    Dim Plan As Collection, I As Long, Row As Variant
    Open "out.txt" For Output As #1
    Set Plan = Schedule(100, 0.01, 3)
    For I = 1 To Plan.Count
        Row = Plan(I)
        Print #1, I & ": " & Format(Row(0), "0.00") & ", " & Format(Row(1), "0.00") & " interest, " & Format(Row(2), "0.00") & " left"
    Next I
    Close #1
End Sub
