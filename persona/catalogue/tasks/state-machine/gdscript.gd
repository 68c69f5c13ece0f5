# snippet:description The states of an enemy, and for each the states it may change to. Any other change is refused with a warning
# snippet:description that names both states.
# snippet:doc https://docs.godotengine.org/en/stable/tutorials/scripting/gdscript/gdscript_basics.html GDScript
# snippet:about Godot
# snippet:title An enemy's states, and the moves between them
# snippet:needs Godot 4.0
class_name EnemyStates
extends Node

signal state_changed(from: State, to: State)

enum State { IDLE, CHASE, ATTACK, DEAD }

## What is not listed here is not allowed.
const TRANSITIONS: Dictionary = {
	State.IDLE: [State.CHASE, State.DEAD],
	State.CHASE: [State.IDLE, State.ATTACK, State.DEAD],
	State.ATTACK: [State.CHASE, State.DEAD],
	State.DEAD: [],
}

var state: State = State.IDLE


## Changes the state, tells listeners, and returns whether the move is allowed.
func enter(next: State) -> bool:
	if next not in TRANSITIONS[state]:
		push_warning("%s -> %s is not allowed" % [State.find_key(state), State.find_key(next)])
		return false
	var previous := state
	state = next
	state_changed.emit(previous, next)
	return true


# snippet:check
# snippet:prints 0 -> 1
# snippet:prints 1 -> 3
# snippet:prints [true, false, true, false]
static func check(_tree: SceneTree) -> void:
	var enemy := EnemyStates.new()
	enemy.state_changed.connect(func(from: State, to: State) -> void: print(from, " -> ", to))
	var told: Array[bool] = [enemy.enter(State.CHASE)]
	told.append(enemy.enter(State.CHASE))
	told.append(enemy.enter(State.DEAD))
	told.append(enemy.enter(State.IDLE))
	print(told)
	enemy.free()
