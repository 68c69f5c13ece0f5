# snippet:check
# snippet:doc https://www.rfc-editor.org/rfc/rfc7946#section-3.1.6 GeoJSON polygons (RFC 7946)
# snippet:prints True False False
# snippet:end
Ring = list[tuple[float, float]]


def in_ring(x: float, y: float, ring: Ring) -> bool:
    """Whether a ray from the point to the right crosses an odd number of edges."""
    inside = False
    for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1]):
        # Each edge counts its lower end but not its upper one: crossing at a corner counts once.
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


def in_polygon(x: float, y: float, polygon: list[Ring]) -> bool:
    """A polygon as in GeoJSON, of pairs: the outer ring first, then its holes."""
    outer, *holes = polygon
    return in_ring(x, y, outer) and not any(in_ring(x, y, hole) for hole in holes)
# snippet:check


square = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)]
hole = [(1, 1), (3, 1), (3, 3), (1, 3), (1, 1)]
print(in_polygon(0.5, 2, [square, hole]), in_polygon(2, 2, [square, hole]), in_polygon(5, 4, [square]))
