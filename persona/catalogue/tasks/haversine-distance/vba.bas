' snippet:check
' snippet:doc https://learn.microsoft.com/en-us/office/vba/language/reference/user-interface-help/math-functions Math functions
' snippet:description Turn latitude and longitude into radians and apply the haversine formula, which stays accurate for places close
' snippet:description together. The Earth counts as a sphere of 6371 km, which is right to about half a percent. VBA has no arcsine, so
' snippet:description the arctangent takes its place.
' snippet:prints 343.6
' snippet:prints 0.0
' snippet:end
Option Explicit

' The distance in km between two places in degrees: =DistanceKm(A2, B2, A3, B3). Right to about half a percent.
Function DistanceKm(ByVal Lat1 As Double, ByVal Lon1 As Double, ByVal Lat2 As Double, ByVal Lon2 As Double) As Double
    Const EarthRadius As Double = 6371.0088
    Dim Radian As Double, H As Double
    Radian = Atn(1) / 45

    H = Sin((Lat2 - Lat1) * Radian / 2) ^ 2 + _
        Cos(Lat1 * Radian) * Cos(Lat2 * Radian) * Sin((Lon2 - Lon1) * Radian / 2) ^ 2
    If H >= 1 Then ' the other side of the Earth; rounding may even go beyond
        DistanceKm = EarthRadius * 4 * Atn(1)
    Else
        DistanceKm = 2 * EarthRadius * Atn(Sqr(H) / Sqr(1 - H)) ' VBA has no arcsine
    End If
End Function
' snippet:check
Sub Check()
    Open "out.txt" For Output As #1
    Print #1, Format(DistanceKm(51.5074, -0.1278, 48.8566, 2.3522), "0.0")
    Print #1, Format(DistanceKm(1, 2, 1, 2), "0.0")
    Close #1
End Sub
