// snippet:usage
// snippet:doc https://www.freepascal.org/docs-html/rtl/math/index-5.html Unit Math
// snippet:prints 343.6 km
// snippet:prints 20015.1 km
program Main;
// snippet:end
{$ifdef FPC}{$mode delphi}{$else}{$apptype console}{$endif}
uses
  Math;

type
  TPlace = record
    Latitude, Longitude: Double; // in degrees
  end;

{ The distance over the ground in km, on a sphere: right to about half a percent. }
function Distance(const A, B: TPlace): Double;
const
  EarthRadius = 6371.0088;
var
  H: Double;
begin
  H := Sqr(Sin(DegToRad(B.Latitude - A.Latitude) / 2))
    + Cos(DegToRad(A.Latitude)) * Cos(DegToRad(B.Latitude)) * Sqr(Sin(DegToRad(B.Longitude - A.Longitude) / 2));
  Result := 2 * EarthRadius * ArcSin(Sqrt(Min(1, H)));
end;
// snippet:usage
function Place(Latitude, Longitude: Double): TPlace;
begin
  Result.Latitude := Latitude;
  Result.Longitude := Longitude;
end;
begin
  WriteLn(Distance(Place(51.5074, -0.1278), Place(48.8566, 2.3522)):0:1, ' km');
  WriteLn(Distance(Place(0, 0), Place(0, 180)):0:1, ' km');
end.
