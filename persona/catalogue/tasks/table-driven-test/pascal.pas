// snippet:check
// snippet:doc https://docwiki.embarcadero.com/RADStudio/Athens/en/Declared_Constants_(Delphi) Typed constants
// snippet:prints 3 cases, 0 failed
// snippet:end
{$ifdef FPC}{$mode delphi}{$else}{$apptype console}{$endif}
program Main;
uses
  SysUtils;

function Slug(const Text: string): string;
begin
  Result := StringReplace(LowerCase(Trim(Text)), ' ', '-', [rfReplaceAll]);
end;

type
  TCase = record
    Text, Want: string;
  end;
const
  Cases: array [0..2] of TCase = (
    (Text: 'Hello World'; Want: 'hello-world'),
    (Text: ''; Want: ''),
    (Text: '  Padded '; Want: 'padded'));
var
  C: TCase;
  Failed: Integer = 0;
begin
  for C in Cases do
    if Slug(C.Text) <> C.Want then
    begin
      Inc(Failed); // and go on: one run tells about all rows
      WriteLn('Slug(', QuotedStr(C.Text), ') is ', QuotedStr(Slug(C.Text)), ', not ', QuotedStr(C.Want));
    end;
  WriteLn(Length(Cases), ' cases, ', Failed, ' failed');
  if Failed > 0 then
    Halt(1); // the build fails
end.
