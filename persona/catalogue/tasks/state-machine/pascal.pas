// snippet:check
// snippet:doc https://www.freepascal.org/docs-html/ref/ref.html Free Pascal reference
// snippet:prints Red, timer: Green
// snippet:prints Green, fault: Blinking
// snippet:prints Blinking does not take evTimer
program Main;
// snippet:end
{$ifdef FPC}{$mode delphi}{$endif}
uses
  SysUtils, TypInfo;

type
  TLight = (Red, Green, Yellow, Blinking);
  TEvent = (evTimer, evFault, evRepair);

  ETransition = class(Exception);

const
  // A light in its own row means: not allowed.
  Transitions: array [TLight, TEvent] of TLight = (
    {            evTimer   evFault   evRepair }
    { Red }     (Green,    Blinking, Red),
    { Green }   (Yellow,   Blinking, Green),
    { Yellow }  (Red,      Blinking, Yellow),
    { Blinking }(Blinking, Blinking, Red));

function Fire(Light: TLight; Event: TEvent): TLight;
begin
  Result := Transitions[Light, Event];
  if Result = Light then
    raise ETransition.CreateFmt('%s does not take %s',
      [GetEnumName(TypeInfo(TLight), Ord(Light)), GetEnumName(TypeInfo(TEvent), Ord(Event))]);
end;
// snippet:check
var
  Light: TLight = Red;
procedure Show(Event: TEvent; const Name: string);
begin
  Write(GetEnumName(TypeInfo(TLight), Ord(Light)), ', ', Name, ': ');
  Light := Fire(Light, Event);
  WriteLn(GetEnumName(TypeInfo(TLight), Ord(Light)));
end;
begin
  Show(evTimer, 'timer');
  Show(evFault, 'fault');
  try
    Fire(Light, evTimer);
  except
    on E: ETransition do WriteLn(E.Message);
  end;
end.
