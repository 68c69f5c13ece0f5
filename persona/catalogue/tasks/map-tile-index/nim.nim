# snippet:usage
# snippet:doc https://nim-lang.org/docs/math.html std/math
# snippet:prints (x: 66, y: 42)
# snippet:prints (x: 3, y: 0) (x: 0, y: 3)
# snippet:end
import std/math

type
  Tile = tuple[x, y: int]
  Zoom = range[0 .. 24]

func tileAt(latitude, longitude: float, zoom: Zoom): Tile =
  ## The column and row of the web map tile (Mercator) at a place in degrees; row 0 is in the north.
  const mostNorthern = 85.05112878 # beyond it there are no tiles
  let
    tiles = 1 shl zoom
    radians = latitude.clamp(-mostNorthern, mostNorthern).degToRad
    x = (longitude + 180) / 360
    y = (1 - arcsinh(tan(radians)) / PI) / 2
  (clamp(int(x * tiles.float), 0, tiles - 1), clamp(int(y * tiles.float), 0, tiles - 1))
# snippet:usage
echo tileAt(51.5074, 8.0, 7)
echo tileAt(90, 180, 2), " ", tileAt(-90, -180, 2)
