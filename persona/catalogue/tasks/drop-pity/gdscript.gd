# snippet:doc https://docs.godotengine.org/en/stable/classes/class_randomnumbergenerator.html Random
# snippet:about Godot
# snippet:needs Godot 4.0
class_name PityDrop
extends RefCounted

var chance: float
var guaranteed_after: int
var failures := 0  # save it with the player, or reloading resets their luck


func _init(drop_chance: float, limit: int) -> void:
	assert(drop_chance > 0.0 and limit >= 1)
	chance = drop_chance
	guaranteed_after = limit


func attempt(rng: RandomNumberGenerator) -> bool:
	failures += 1
	if failures >= guaranteed_after or rng.randf() < chance:
		failures = 0
		return true
	return false


## The mean number of attempts for a drop: each attempt is made if all before it failed.
func expected_attempts() -> float:
	var sum := 0.0
	for attempts_before in guaranteed_after:
		sum += pow(1.0 - chance, attempts_before)
	return sum
