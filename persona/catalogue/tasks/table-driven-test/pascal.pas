// snippet:check
// snippet:doc https://docwiki.embarcadero.com/RADStudio/Athens/en/Declared_Constants#Array_Constants Array constants
// snippet:prints Slug('  Two  words ') is 'two--words', not 'two-words'
// snippet:prints 1 of 3 failed
program Main;
uses SysUtils;
function Slug(const Text: string): string;
begin
  Result := StringReplace(LowerCase(Trim(Text)), ' ', '-', [rfReplaceAll]);
end;
// snippet:end
type
  TCase = record
    Text, Want: string;
  end;

const
  Cases: array [0..2] of TCase = (
    (Text: 'Hello World'; Want: 'hello-world'),
    (Text: ''; Want: ''),
    (Text: '  Two  words '; Want: 'two-words'));

function RunTests: Integer;
var
  C: TCase;
begin
  Result := 0;
  for C in Cases do
    if Slug(C.Text) <> C.Want then
    begin
      Inc(Result); // and go on: one run tells about all rows
      WriteLn(Format('Slug(%s) is %s, not %s', [QuotedStr(C.Text), QuotedStr(Slug(C.Text)), QuotedStr(C.Want)]));
    end;
  if Result > 0 then
    WriteLn(Result, ' of ', Length(Cases), ' failed');
end; // Halt(RunTests) makes the build fail
// snippet:check
begin
  if RunTests <> 1 then Halt(1);
end.
