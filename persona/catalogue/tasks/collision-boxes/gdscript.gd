# snippet:doc https://docs.godotengine.org/en/stable/classes/class_rect2.html Rect2
# snippet:needs Godot 4.0
class_name Boxes
extends RefCounted


## The shortest way to move a out of b; zero if they are apart. Boxes that only touch are apart.
static func push_out(a: Rect2, b: Rect2) -> Vector2:
	var overlap := a.intersection(b)
	if not overlap.has_area():
		return Vector2.ZERO
	var away := (a.get_center() - b.get_center()).sign()
	if overlap.size.x < overlap.size.y:
		return Vector2(overlap.size.x * (away.x if away.x != 0.0 else 1.0), 0.0)
	return Vector2(0.0, overlap.size.y * (away.y if away.y != 0.0 else 1.0))


## A move with sub-steps, so that something fast does not pass through something thin.
static func sweep(box: Rect2, motion: Vector2, obstacle: Rect2) -> Rect2:
	var steps := ceili(motion.length() / minf(box.size.x, box.size.y)) + 1
	for step in steps:
		box.position += motion / steps
		box.position += push_out(box, obstacle)
	return box
