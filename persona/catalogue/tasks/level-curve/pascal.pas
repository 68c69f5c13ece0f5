// snippet:check
// snippet:doc https://www.freepascal.org/docs-html/rtl/math/power.html Power
// snippet:prints level 2: 100, level 3: 283, level 4: 520
// snippet:prints 0: 1, 99: 1, 100: 2, 519: 3, 99999: 50
program Main;
// snippet:end
{$ifdef FPC}{$mode delphi}{$endif}
uses
  Math;

const
  LastLevel = 50;
  Base = 100;
  Exponent = 1.5;

{ The experience that a level takes in all; level 1 is free. }
function ExperienceFor(Level: Integer): Integer;
begin
  Result := Round(Base * Power(Level - 1, Exponent));
end;

{ The level of a total. It asks the curve, so the two agree. }
function LevelOf(Experience: Integer): Integer;
begin
  Result := 1;
  while (Result < LastLevel) and (Experience >= ExperienceFor(Result + 1)) do
    Inc(Result);
end;
// snippet:check
begin
  WriteLn('level 2: ', ExperienceFor(2), ', level 3: ', ExperienceFor(3), ', level 4: ', ExperienceFor(4));
  WriteLn('0: ', LevelOf(0), ', 99: ', LevelOf(99), ', 100: ', LevelOf(100), ', 519: ', LevelOf(519), ', 99999: ', LevelOf(99999));
end.
