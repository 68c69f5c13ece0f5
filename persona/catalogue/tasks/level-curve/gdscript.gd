# snippet:doc https://docs.godotengine.org/en/stable/classes/class_resource.html Resource
# snippet:about Godot
# snippet:needs Godot 4.0
class_name LevelCurve
extends Resource

@export var base := 100.0
@export_range(1.0, 3.0, 0.05) var exponent := 1.5
@export var last_level := 50


## The experience that a level takes in all; level 1 is free.
func experience_for(level: int) -> int:
	return roundi(base * pow(level - 1, exponent))


## The level of a total. It asks the curve, so the two agree.
func level_of(experience: int) -> int:
	var level := 1
	while level < last_level and experience >= experience_for(level + 1):
		level += 1
	return level


## How far the bar to the next level is filled, 0 to 1.
func progress(experience: int) -> float:
	var level := level_of(experience)
	if level >= last_level:
		return 1.0
	var start := experience_for(level)
	return clampf(inverse_lerp(start, experience_for(level + 1), experience), 0.0, 1.0)


# snippet:check
# snippet:prints 0 100 283
# snippet:prints 1 1 2 2 3
# snippet:prints 0.5
# snippet:prints 1.0
# snippet:prints true
static func check(_tree: SceneTree) -> void:
	var curve := LevelCurve.new()
	print(curve.experience_for(1), " ", curve.experience_for(2), " ", curve.experience_for(3))
	print(curve.level_of(0), " ", curve.level_of(99), " ", curve.level_of(100), " ", curve.level_of(282), " ", curve.level_of(283))
	print(curve.progress(50))
	print(curve.progress(1_000_000))
	var agree := true
	for level in range(1, 51):
		agree = agree and curve.level_of(curve.experience_for(level)) == level
	print(agree)
