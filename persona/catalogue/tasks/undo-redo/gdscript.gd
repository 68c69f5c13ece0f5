# snippet:why People explore when they can go back.
# snippet:title Undo and redo with UndoRedo
# snippet:doc https://docs.godotengine.org/en/stable/classes/class_undoredo.html UndoRedo
# snippet:about Godot
# snippet:needs Godot 4.0
class_name LevelEditor
extends Node2D

var _history := UndoRedo.new()


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_history.free()  # UndoRedo is not counted by reference


func _unhandled_key_input(event: InputEvent) -> void:
	# Exact, or Ctrl+Shift+Z (redo) would count as Ctrl+Z; a key held down repeats.
	if event.is_action_pressed("ui_undo", true, true):
		_history.undo()
	elif event.is_action_pressed("ui_redo", true, true):
		_history.redo()


func place(scene: PackedScene, at: Vector2) -> void:
	var piece := scene.instantiate() as Node2D
	piece.position = at
	_history.create_action("Place %s" % piece.name)
	_history.add_do_method(add_child.bind(piece))
	_history.add_do_reference(piece)  # freed with the history if it is never placed again
	_history.add_undo_method(remove_child.bind(piece))
	_history.commit_action()


# snippet:check
# snippet:prints 1
# snippet:prints 0
# snippet:prints 1 (3.0, 4.0)
# snippet:prints 0
static func check(tree: SceneTree) -> void:
	var editor := LevelEditor.new()
	tree.root.add_child(editor)
	var scene := PackedScene.new()
	var model := Node2D.new()
	scene.pack(model)
	model.free()
	editor.place(scene, Vector2(3, 4))
	print(editor.get_child_count())
	_press(editor, KEY_Z, false)
	print(editor.get_child_count())
	_press(editor, KEY_Z, true)
	print(editor.get_child_count(), " ", editor.get_child(0).position)
	_press(editor, KEY_Z, false)
	print(editor.get_child_count())
	editor.free()


static func _press(editor: LevelEditor, key: Key, shift: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = key
	event.ctrl_pressed = true
	event.shift_pressed = shift
	event.pressed = true
	editor._unhandled_key_input(event)
