' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/weekday-function Weekday
' snippet:title Add working days to a date
' snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
' snippet:description not count.
' snippet:prints 2026-12-28 2026-12-28
' snippet:end
Option Explicit

' The day that lies a number of working days after another one. Holidays is an array of dates, or in Excel a
' Range, where WorksheetFunction.WorkDay does the same; Word, Access and Outlook have no such function.
Function AddBusinessDays(ByVal Start As Date, ByVal Days As Long, Holidays As Variant) As Date
    Dim Day As Date
    If Days < 0 Then Err.Raise 5, , "Days is below zero."
    Day = Int(Start) ' without the time of day
    Do While Days > 0
        Day = DateAdd("d", 1, Day)
        If Weekday(Day, vbMonday) <= 5 And Not IsHoliday(Day, Holidays) Then Days = Days - 1
    Loop
    AddBusinessDays = Day
End Function

Private Function IsHoliday(ByVal Day As Date, Holidays As Variant) As Boolean
    Dim Holiday As Variant
    For Each Holiday In Holidays
        If Int(CDate(Holiday)) = Day Then
            IsHoliday = True
            Exit Function
        End If
    Next Holiday
End Function
' snippet:check
Sub Check()
    Open "out.txt" For Output As #1
    Print #1, Format(AddBusinessDays(DateSerial(2026, 12, 22), 3, Array(DateSerial(2026, 12, 25))), "yyyy-mm-dd") & " " & _
        Format(AddBusinessDays(DateSerial(2026, 12, 22) + TimeSerial(18, 0, 0), 3, Array(DateSerial(2026, 12, 25) + TimeSerial(20, 0, 0))), "yyyy-mm-dd")
    Close #1
End Sub
