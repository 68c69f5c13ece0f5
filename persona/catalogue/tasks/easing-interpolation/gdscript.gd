# snippet:doc https://docs.godotengine.org/en/stable/classes/class_tween.html Tween
# snippet:description Fade and move a panel with a `Tween`: it slows down as it opens, and starts slowly as it closes. A second
# snippet:description click goes on from where the panel is. The panel is closed at the start.
# snippet:about Godot
# snippet:title Fade and move a panel with a tween
# snippet:needs Godot 4.0
class_name SlidingPanel
extends Control

@export_range(0.05, 2.0, 0.05) var seconds := 0.25

var _tween: Tween

@onready var _rest := position.y  # a fixed place: no Container or anchor moves it later


func _ready() -> void:
	modulate.a = 0.0
	position.y = _rest + 40.0
	hide()


func open() -> void:
	show()
	_animate(1.0, _rest, Tween.EASE_OUT)


func close() -> void:
	_animate(0.0, _rest + 40.0, Tween.EASE_IN)


func _animate(alpha: float, y: float, easing: Tween.EaseType) -> void:
	if _tween:
		_tween.kill()  # a second click: go on from where the panel is
	_tween = create_tween().set_parallel().set_trans(Tween.TRANS_CUBIC).set_ease(easing)
	_tween.tween_property(self, "modulate:a", alpha, seconds)
	_tween.tween_property(self, "position:y", y, seconds)
	if is_zero_approx(alpha):
		_tween.chain().tween_callback(hide)


# snippet:check
# snippet:prints true 0.0 40.0
# snippet:prints true 1.0 0.0
# snippet:prints false 0.0 40.0
# snippet:prints true 1.0 0.0
static func check(tree: SceneTree) -> void:
	await tree.process_frame  # before the first frame nothing is ready
	var panel := SlidingPanel.new()
	tree.root.add_child(panel)
	panel.close()
	assert(not panel.visible, "closed already: nothing catches the mouse")
	panel.open()
	print(panel.visible, " ", panel.modulate.a, " ", panel.position.y)
	await tree.create_timer(0.4).timeout
	print(panel.visible, " ", panel.modulate.a, " ", panel.position.y)
	panel.close()
	await tree.create_timer(0.4).timeout
	print(panel.visible, " ", panel.modulate.a, " ", panel.position.y)
	panel.open()
	panel.close()
	await tree.create_timer(0.1).timeout
	panel.open()
	await tree.create_timer(0.4).timeout
	print(panel.visible, " ", panel.modulate.a, " ", panel.position.y)
	panel.free()
