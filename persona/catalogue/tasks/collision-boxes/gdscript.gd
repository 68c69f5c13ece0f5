# snippet:doc https://docs.godotengine.org/en/stable/classes/class_rect2.html Rect2
# snippet:description Find the shortest move along one axis that takes one box out of another; boxes that only touch are apart.
# snippet:description Coordinates with fractions are subject to rounding. A move is made in steps, so that a quick box does not
# snippet:description pass through a thin one.
# snippet:about Godot
# snippet:needs Godot 4.0
class_name Boxes
extends RefCounted


## The shortest way to move a out of b, all the way even where one is inside the other; zero if
## they are apart. Boxes that only touch are apart.
static func push_out(a: Rect2, b: Rect2) -> Vector2:
	if not a.intersects(b):
		return Vector2.ZERO
	var left := a.end.x - b.position.x
	var right := b.end.x - a.position.x
	var up := a.end.y - b.position.y
	var down := b.end.y - a.position.y
	var across := -left if left < right else right
	var along := -up if up < down else down
	return Vector2(across, 0.0) if absf(across) < absf(along) else Vector2(0.0, along)


## A move in steps of less than half the box, whose size is above zero: what it meets pushes it back
## or, where that is shorter, aside, and not out at the far side.
static func sweep(box: Rect2, motion: Vector2, obstacle: Rect2) -> Rect2:
	var steps := ceili(2.0 * motion.length() / minf(box.size.x, box.size.y)) + 1
	for _step in steps:
		box.position += motion / steps
		box.position += push_out(box, obstacle)
	return box


# snippet:check
# snippet:prints (-2.0, 0.0)
# snippet:prints (0.0, 0.0)
# snippet:prints (0.0, 2.0)
# snippet:prints (0.0, 3.0)
# snippet:prints 8.0
# snippet:prints 100.0
# snippet:prints true
static func check(_tree: SceneTree) -> void:
	var wall := Rect2(10, 0, 10, 10)
	print(push_out(Rect2(8, 4, 4, 4), wall))
	print(push_out(Rect2(6, 4, 4, 4), wall))
	print(push_out(Rect2(13, 8, 4, 4), wall))
	print(push_out(Rect2(14, 7, 2, 2), wall))
	print(sweep(Rect2(0, 4, 2, 2), Vector2(100, 0), wall).position.x)
	print(snappedf(sweep(Rect2(0, 40, 2, 2), Vector2(100, 0), wall).position.x, 0.1))
	var past := sweep(Rect2(0, 0, 8, 8), Vector2(100, 0), Rect2(20, -6, 4, 7))
	print(past.position.x > 50.0 and past.position.y >= 1.0)
