# snippet:doc https://docs.godotengine.org/en/stable/classes/class_randomnumbergenerator.html Random
# snippet:about Godot
# snippet:needs Godot 4.0
class_name PityDrop
extends RefCounted

var chance: float
var certain_at: int
var failures := 0  # save it with the player, or reloading resets their luck


func _init(drop_chance: float, limit: int) -> void:
	assert(drop_chance > 0.0 and drop_chance <= 1.0 and limit >= 1)
	chance = drop_chance
	certain_at = limit


func attempt(rng: RandomNumberGenerator) -> bool:
	failures += 1
	if failures >= certain_at or rng.randf() <= chance:  # randf() may be 1.0
		failures = 0
		return true
	return false


## The mean number of attempts for a drop: each attempt is made if all before it failed.
func expected_attempts() -> float:
	var sum := 0.0
	for attempts_before in certain_at:
		sum += pow(1.0 - chance, attempts_before)
	return sum


# snippet:check
# snippet:prints 10
# snippet:prints true
# snippet:prints 1.0
static func check(_tree: SceneTree) -> void:
	var rng := RandomNumberGenerator.new()
	rng.seed = 11
	var hopeless := PityDrop.new(1e-12, 10)
	var attempts := 1
	while not hopeless.attempt(rng):
		attempts += 1
	print(attempts)
	var drop := PityDrop.new(0.05, 20)
	var drops := 0
	for _i in 100_000:
		drops += int(drop.attempt(rng))
	print(absf(100_000.0 / drops - drop.expected_attempts()) < 0.2)
	print(PityDrop.new(1.0, 5).expected_attempts())
