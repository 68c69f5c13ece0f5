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


## The choices to a line that is missing, found when the story is loaded.
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


# snippet:check
# snippet:prints []
# snippet:prints start: 'Go' leads to 'nowhere', which is missing
# snippet:prints [{ "text": "Hi", "to": "start" }]
# snippet:prints 2
# snippet:prints 0
static func check(_tree: SceneTree) -> void:
	var good := {"start": {"text": "Hello", "choices": [{"text": "Hi", "to": "start"}, {"text": "Open", "to": "end", "needs": "key"}]}, "end": {"text": "Bye"}}
	var dialogue := Dialogue.new(good)
	print(dialogue.problems())
	print("\n".join(Dialogue.new({"start": {"text": "?", "choices": [{"text": "Go", "to": "nowhere"}]}}).problems()))
	print(dialogue.choices("start", []))
	print(dialogue.choices("start", ["key"]).size())
	print(dialogue.choices("end", ["key"]).size())
