// snippet:check
// snippet:doc https://docwiki.embarcadero.com/Libraries/Athens/en/System.Contnrs.TObjectList TObjectList
// snippet:prints Ada 91
// snippet:prints Bea 91
// snippet:prints Carl -2147483648
program Main;
// snippet:end
{$ifdef FPC}{$mode delphi}{$endif}
uses
  SysUtils, Math, Contnrs;

type
  TPlayer = class
    Name: string;
    Points: Integer;
    constructor Create(const AName: string; APoints: Integer);
  end;

constructor TPlayer.Create(const AName: string; APoints: Integer);
begin
  Name := AName;
  Points := APoints;
end;

function ByPointsThenName(A, B: Pointer): Integer;
begin
  Result := CompareValue(TPlayer(B).Points, TPlayer(A).Points); // the most points first
  if Result = 0 then
    Result := CompareText(TPlayer(A).Name, TPlayer(B).Name);
end;

{ The list owns its players: it frees them when it is freed. Its sort is not stable: names that
  differ only in upper case come in any order. }
procedure SortPlayers(Players: TObjectList);
begin
  Players.Sort(@ByPointsThenName);
end;
// snippet:check
var
  Players: TObjectList;
  I: Integer;
begin
  Players := TObjectList.Create(True);
  try
    Players.Add(TPlayer.Create('Carl', Low(Integer)));
    Players.Add(TPlayer.Create('Bea', 91));
    Players.Add(TPlayer.Create('Ada', 91));
    SortPlayers(Players);
    for I := 0 to Players.Count - 1 do
      WriteLn(TPlayer(Players[I]).Name, ' ', TPlayer(Players[I]).Points);
  finally
    Players.Free;
  end;
end.
