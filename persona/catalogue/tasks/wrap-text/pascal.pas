// snippet:usage
// snippet:doc https://www.freepascal.org/docs-html/rtl/sysutils/tstringhelper.split.html TStringHelper.Split
// snippet:prints The quick
// snippet:prints brown fox
// snippet:prints extraordinarily
// snippet:prints lazy
// snippet:end
{$ifdef FPC}{$mode delphi}{$else}{$apptype console}{$endif}
// snippet:usage
program Main;
// snippet:end
uses
  SysUtils, Classes;

{ Adds the words of a paragraph to Lines, as many on each as fit. A longer word has a line of its own.
  Length counts UTF-16 units in Delphi, and bytes in a UTF-8 string of Free Pascal. }
procedure AddWrapped(const Paragraph: string; Width: Integer; Lines: TStrings);
var
  Word, Line: string;
begin
  Line := '';
  for Word in Paragraph.Split([' ', #9, #10, #13], TStringSplitOptions.ExcludeEmpty) do
    if Line = '' then
      Line := Word
    else if Length(Line) + 1 + Length(Word) <= Width then
      Line := Line + ' ' + Word
    else
    begin
      Lines.Add(Line);
      Line := Word;
    end;
  if Line <> '' then
    Lines.Add(Line);
end;
// snippet:usage
var
  Lines: TStringList;
  Line: string;
begin
  Lines := TStringList.Create;
  try
    AddWrapped('The quick   brown fox extraordinarily lazy', 10, Lines);
    AddWrapped('', 10, Lines);
    for Line in Lines do WriteLn(Line);
  finally
    Lines.Free;
  end;
end.
