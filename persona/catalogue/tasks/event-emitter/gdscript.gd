# snippet:doc https://docs.godotengine.org/en/stable/getting_started/step_by_step/signals.html Signals
# snippet:description Tell whoever is connected when the health of a node changes, and when it reaches zero. The node knows no
# snippet:description display; a display connects itself to the signal.
# snippet:about Godot
# snippet:title Tell the display about health with signals
# snippet:needs Godot 4.0
class_name Health
extends Node

## A display connects itself: health.changed.connect(bar.show_health)
signal changed(health: int, maximum: int)
signal died

@export var maximum := 100

var health := maximum:
	set(value):
		var now := clampi(value, 0, maximum)
		if now == health:
			return
		health = now
		changed.emit(now, maximum)
		if now == 0:  # not health: who was told may have changed it again
			died.emit()


func _ready() -> void:
	health = maximum  # the exported value is only known now


func hurt(amount: int) -> void:
	health -= maxi(amount, 0)


# snippet:check
# snippet:prints 70 of 100
# snippet:prints 0 of 100
# snippet:prints died
# snippet:prints 0
static func check(tree: SceneTree) -> void:
	var player := Health.new()
	tree.root.add_child(player)
	player.changed.connect(func(now: int, most: int) -> void: print(now, " of ", most))
	player.died.connect(func() -> void: print("died"))
	player.hurt(30)
	player.hurt(-30)
	player.hurt(500)
	player.hurt(1)
	print(player.health)
	player.free()
	var hedgehog := Health.new()
	var deaths: Array[int] = [0]
	hedgehog.changed.connect(func(now: int, _most: int) -> void: hedgehog.hurt(10 if now == 10 else 0))
	hedgehog.died.connect(func() -> void: deaths[0] += 1)
	hedgehog.hurt(90)
	assert(deaths[0] == 1, "one death is told once")
	hedgehog.free()
