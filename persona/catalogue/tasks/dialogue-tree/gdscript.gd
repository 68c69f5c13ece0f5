# snippet:doc https://docs.godotengine.org/en/stable/classes/class_dictionary.html Dictionary
# snippet:needs Godot 4.2
# snippet:about Godot
class_name Dialogue
extends RefCounted

## Lines by name: {"text": ..., "choices": [{"text": ..., "to": ..., "needs": "an item" or absent}]}
var lines: Dictionary


func _init(story: Dictionary) -> void:
	lines = story
	for problem in problems():
		push_error(problem)


## What would stop a player later, found when the story is loaded.
func problems() -> PackedStringArray:
	var found := PackedStringArray()
	for name: String in lines:
		for choice: Dictionary in lines[name].get("choices", []):
			if not lines.has(choice.to):
				found.append("%s: '%s' leads to '%s', which is missing" % [name, choice.text, choice.to])
	return found


## The choices that a player with these items has.
func choices(name: String, items: Array[String]) -> Array:
	return lines[name].get("choices", []).filter(
		func(choice: Dictionary) -> bool: return not choice.has("needs") or choice.needs in items
	)
