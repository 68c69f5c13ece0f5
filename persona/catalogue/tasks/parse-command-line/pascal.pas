// snippet:check
// snippet:doc https://www.freepascal.org/docs-html/rtl/system/paramstr.html ParamStr
// snippet:prints size 10, quiet FALSE
// snippet:prints size 3, quiet TRUE
// snippet:prints --size: a whole number from 1 to 100, not "big"
// snippet:prints --size: a whole number from 1 to 100, not "0x10"
// snippet:prints --sise: unknown option
// snippet:prints usage: resize [--size=N] [--quiet]
program Main;
// snippet:end
{$ifdef FPC}{$mode delphi}{$endif}
uses
  SysUtils, StrUtils;

type
  TOptions = record
    Size: Integer;
    Quiet: Boolean;
  end;

{ Reads "--size=N" and "--quiet"; the program hands in ParamStr(1) to ParamStr(ParamCount). }
function ParseOptions(const Arguments: array of string): TOptions;
var
  Argument: string;
begin
  Result.Size := 10;
  Result.Quiet := False;
  for Argument in Arguments do
    if Argument = '--quiet' then
      Result.Quiet := True
    else if Argument = '--help' then
    begin
      WriteLn('usage: resize [--size=N] [--quiet]');
      Halt(0);
    end
    else if StartsStr('--size=', Argument) then
    begin
      if not TryStrToInt(Copy(Argument, 8, MaxInt), Result.Size) or (IntToStr(Result.Size) <> Copy(Argument, 8, MaxInt))
        or (Result.Size < 1) or (Result.Size > 100) then
        raise EArgumentException.CreateFmt('--size: a whole number from 1 to 100, not "%s"',
          [Copy(Argument, 8, MaxInt)]);
    end
    else
      raise EArgumentException.CreateFmt('%s: unknown option', [Argument]);
end;
// snippet:check
procedure Show(const Arguments: array of string);
var
  O: TOptions;
begin
  try
    O := ParseOptions(Arguments);
    WriteLn('size ', O.Size, ', quiet ', O.Quiet);
  except
    on E: EArgumentException do WriteLn(E.Message);
  end;
end;
begin
  Show([]);
  Show(['--quiet', '--size=3']);
  Show(['--size=big']);
  Show(['--size=0x10']);
  Show(['--sise']);
  Show(['--help']);
  WriteLn('went on');
end.
