# snippet:check
# snippet:doc https://docs.ruby-lang.org/en/master/JSON.html JSON
# snippet:needs Ruby 3.0
# snippet:prints [-5.0, 40.0, 13.4, 52.5]
# snippet:prints no coordinates
# snippet:end
require "json"

# West, south, east and north of a GeoJSON text. What crosses the 180th meridian gets a box round the world.
def bounding_box(json)
  positions = positions_in(JSON.parse(json, symbolize_names: true))
  raise ArgumentError, "no coordinates" if positions.empty?

  longitudes, latitudes = positions.map { |position| position.first(2) }.transpose # a height may follow
  [longitudes.min, latitudes.min, longitudes.max, latitudes.max].map(&:to_f)
end

def positions_in(value)
  case value
  in { features: } then features.flat_map { |feature| positions_in(feature) }
  in { geometry: } then positions_in(geometry)
  in { geometries: } then geometries.flat_map { |geometry| positions_in(geometry) }
  in { coordinates: } then positions_in(coordinates)
  in [Numeric, Numeric, *] then [value]
  in Array then value.flat_map { |part| positions_in(part) } # of any depth
  else []
  end
end
# snippet:check
document = '{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [13.4, 52.5, 34]}}, {"geometry": null},
  {"geometry": {"type": "Polygon", "coordinates": [[[-5, 40], [0, 45], [-5, 41], [-5, 40]]]}}]}'
p bounding_box(document)
begin
  bounding_box('{"features": []}')
rescue ArgumentError => e
  puts e.message
end
