// snippet:check
// snippet:doc https://www.rfc-editor.org/rfc/rfc7946#section-5 Bounding box (RFC 7946)
// snippet:prints -5 40 13.4 52.5
// snippet:prints no coordinates
// snippet:end
/** All positions of a GeoJSON object, from a point to a collection of features. */
function* positions(value) {
  if (value === null || value === undefined) return; // a feature may have no geometry
  if (Array.isArray(value)) {
    if (typeof value[0] === "number") yield value;
    else for (const part of value) yield* positions(part); // of any depth
    return;
  }
  yield* positions(value.features ?? value.geometries ?? value.geometry ?? value.coordinates);
}

/**
 * West, south, east, north. A loop, because Math.min(...many) fails for many.
 * What crosses the 180th meridian must be cut there, as RFC 7946 asks, or its box goes round the Earth.
 */
function boundingBox(geojson) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [longitude, latitude] of positions(geojson)) {
    box[0] = Math.min(box[0], longitude);
    box[1] = Math.min(box[1], latitude);
    box[2] = Math.max(box[2], longitude);
    box[3] = Math.max(box[3], latitude);
  }
  if (box[0] === Infinity) throw new RangeError("no coordinates");
  return box;
}
// snippet:check
const document = { type: "FeatureCollection", features: [
  { geometry: { type: "Point", coordinates: [13.4, 52.5, 34] } }, { geometry: null },
  { geometry: { type: "Polygon", coordinates: [[[-5, 40], [0, 45], [-5, 41], [-5, 40]]] } },
] };
console.log(boundingBox(document).join(" "));
try { boundingBox({ features: [] }); } catch (error) { console.log(error.message); }
