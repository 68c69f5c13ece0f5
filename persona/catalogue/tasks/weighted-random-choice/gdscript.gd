# snippet:doc https://docs.godotengine.org/en/stable/classes/class_randomnumbergenerator.html Random
# snippet:about Godot
# snippet:title A loot table with weights
# snippet:needs Godot 4.2
class_name LootTable
extends Resource

## Item names and their weights: 70, 25 and 5 are percentages only if they add up to 100.
@export var weights: Dictionary = {"gold": 70.0, "potion": 25.0, "sword": 5.0}


## Picks an item. Hand in a generator with a seed to get the same items again in a test.
func pick(rng: RandomNumberGenerator) -> String:
	var total := 0.0
	for weight: float in weights.values():
		total += maxf(weight, 0.0)
	assert(total > 0.0, "a loot table needs a weight above zero")

	var roll := rng.randf() * total
	var last := ""
	for item: String in weights:
		if weights[item] <= 0.0:
			continue
		roll -= weights[item]
		last = item
		if roll < 0.0:
			break
	return last  # rounding may leave a hair of the total: the last item takes it


# snippet:check
# snippet:prints true true
# snippet:prints 0
# snippet:prints true
static func check(_tree: SceneTree) -> void:
	var table := LootTable.new()
	table.weights = {"gold": 75.0, "potion": 25.0, "never": 0.0, "odd": -5.0}
	var rng := RandomNumberGenerator.new()
	rng.seed = 7
	var counts := {"gold": 0, "potion": 0, "never": 0, "odd": 0}
	for _i in 10_000:
		counts[table.pick(rng)] += 1
	print(absi(counts.gold - 7500) < 200, " ", counts.gold + counts.potion == 10_000)
	print(counts.never + counts.odd)
	rng.seed = 1
	var first := table.pick(rng)
	rng.seed = 1
	print(first == table.pick(rng))
