// snippet:check
// snippet:doc https://docwiki.embarcadero.com/RADStudio/Athens/en/Simple_Types_(Delphi)#Real_Types Currency
// snippet:prints  1   34.00    1.00   66.50
// snippet:prints  2   34.00    0.66   33.16
// snippet:prints  3   33.49    0.33    0.00
program Main;
// snippet:end
uses
  SysUtils;

{ Prints month, payment, interest and balance. Currency is a whole number of ten-thousandths, no binary fraction. }
procedure PrintSchedule(Balance, Payment: Currency; MonthlyRate: Double);
var
  Month: Integer;
  Interest: Currency;
begin
  Month := 0;
  while Balance > 0 do
  begin
    Inc(Month);
    Interest := Round(Balance * MonthlyRate * 100) / 100; // to the cent, halves to even
    if Payment <= Interest then
      raise EArgumentException.Create('the payment does not cover the interest');
    if Payment > Balance + Interest then
      Payment := Balance + Interest; // the last one settles what rounding left over
    Balance := Balance + Interest - Payment;
    WriteLn(Month:2, Payment:8:2, Interest:8:2, Balance:8:2);
  end;
end;
// snippet:check
begin
  PrintSchedule(99.50, 34, 0.01);
end.
