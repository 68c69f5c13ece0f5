// snippet:usage
// snippet:doc https://docwiki.embarcadero.com/RADStudio/Athens/en/Simple_Types_(Delphi)#Real_Types Currency
// snippet:prints   1        34.00         1.00        67.00
// snippet:prints   2        34.00         0.67        33.67
// snippet:prints   3        34.01         0.34         0.00
// snippet:prints   1        33.33         0.00        66.67
// snippet:prints   2        33.33         0.00        33.34
// snippet:prints   3        33.34         0.00         0.00
{$ifndef FPC}{$apptype console}{$endif}
program Main;
// snippet:end
uses
  Math;

{ Prints month, payment, interest and balance. Currency is a whole number of ten-thousandths, no binary fraction. }
procedure PrintSchedule(Balance: Currency; MonthlyRate: Double; Months: Integer);
var
  Month: Integer;
  Payment, Interest: Currency;
begin
  if MonthlyRate = 0 then
    Payment := Round(Balance * 100 / Months) / 100
  else
    Payment := Round(Balance * 100 * MonthlyRate / (1 - Power(1 + MonthlyRate, -Months))) / 100;
  for Month := 1 to Months do
  begin
    Interest := Round(Balance * MonthlyRate * 100) / 100; // to the cent
    if Month = Months then
      Payment := Balance + Interest; // the last one settles what rounding left over
    Balance := Balance + Interest - Payment;
    WriteLn(Month:3, Payment:13:2, Interest:13:2, Balance:13:2);
  end;
end;
// snippet:usage
begin
  PrintSchedule(100, 0.01, 3);
  PrintSchedule(100, 0, 3);
end.
