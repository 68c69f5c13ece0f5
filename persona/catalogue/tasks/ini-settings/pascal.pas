// snippet:check
// snippet:doc https://docwiki.embarcadero.com/Libraries/Athens/en/System.IniFiles.TIniFile TIniFile
// snippet:prints example.com:8080
// snippet:prints settings.ini: [server] port = "eighty" is not a port
program Main;
// snippet:end
{$ifdef FPC}{$mode delphi}{$endif}
uses
  SysUtils, IniFiles;

type
  TSettings = record
    Host: string;
    Port: Integer;
  end;

function ReadSettings(const FileName: string): TSettings;
var
  Ini: TIniFile;
  Text: string;
begin
  if not FileExists(FileName) then
    raise Exception.CreateFmt('%s: no such file', [FileName]);
  Ini := TIniFile.Create(ExpandFileName(FileName)); // Windows looks for a bare name in its own folder
  try
    Result.Host := Ini.ReadString('server', 'host', 'localhost');
    Text := Ini.ReadString('server', 'port', '80');
    // ReadInteger would take the default for "eighty" without a word, and $50 for 80.
    if not TryStrToInt(Text, Result.Port) or (IntToStr(Result.Port) <> Text)
      or (Result.Port < 1) or (Result.Port > 65535) then
      raise Exception.CreateFmt('%s: [server] port = "%s" is not a port', [FileName, Text]);
  finally
    Ini.Free;
  end;
end;
// snippet:check
var
  F: TextFile;
  S: TSettings;
  Port: string;
begin
  for Port in TStringArray.Create('8080', 'eighty') do
  begin
    AssignFile(F, 'settings.ini');
    Rewrite(F);
    WriteLn(F, '; a comment');
    WriteLn(F);
    WriteLn(F, '[Server]');
    WriteLn(F, 'Host=example.com');
    WriteLn(F, 'port=', Port);
    CloseFile(F);
    try
      S := ReadSettings('settings.ini');
      WriteLn(S.Host, ':', S.Port);
    except
      on E: Exception do WriteLn(E.Message);
    end;
  end;
end.
