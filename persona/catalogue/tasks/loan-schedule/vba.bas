' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/currency-data-type Currency data type
' snippet:prints 1: 1.00 interest, 66.50 left
' snippet:prints 2: 0.66 interest, 33.16 left
' snippet:prints 3: 0.33 interest, 0.00 left
' snippet:end
Option Explicit

' The plan of a loan with a fixed payment each month: rows of payment, interest and balance.
' Currency counts ten-thousandths exactly, unlike Double; Round takes halves to even.
Function Schedule(ByVal Balance As Currency, ByVal Payment As Currency, ByVal MonthlyRate As Double) As Collection
    Dim Plan As New Collection, Interest As Currency
    Do While Balance > 0
        Interest = Round(Balance * MonthlyRate, 2)
        If Payment <= Interest Then Err.Raise vbObjectError + 1, , "The payment does not cover the interest."
        If Payment > Balance + Interest Then Payment = Balance + Interest ' the last one settles the rest
        Balance = Balance + Interest - Payment
        Plan.Add Array(Payment, Interest, Balance)
    Loop
    Set Schedule = Plan
End Function
' snippet:check
Sub Check()
    Dim Plan As Collection, I As Long, Row As Variant
    Open "out.txt" For Output As #1
    Set Plan = Schedule(99.5, 34, 0.01)
    For I = 1 To Plan.Count
        Row = Plan(I)
        Print #1, I & ": " & Format(Row(1), "0.00") & " interest, " & Format(Row(2), "0.00") & " left"
    Next I
    Close #1
End Sub
