# snippet:doc https://docs.godotengine.org/en/stable/classes/class_configfile.html ConfigFile
# snippet:title Keep a player's settings in a file
# snippet:needs Godot 4.0
class_name Settings
extends RefCounted

const PATH := "user://settings.cfg"

var volume := 0.8
var full_screen := false
var language := "en"


func load_file() -> void:
	var file := ConfigFile.new()
	var error := file.load(PATH)
	if error == ERR_FILE_NOT_FOUND:
		return  # the first start: the defaults hold
	if error != OK:
		push_warning("%s: %s; the defaults are used" % [PATH, error_string(error)])
		return
	# Players edit the file: each value is converted and held to its limits.
	volume = clampf(float(file.get_value("sound", "volume", volume)), 0.0, 1.0)
	full_screen = bool(file.get_value("video", "full_screen", full_screen))
	language = str(file.get_value("game", "language", language))


func save_file() -> Error:
	var file := ConfigFile.new()
	file.set_value("sound", "volume", volume)
	file.set_value("video", "full_screen", full_screen)
	file.set_value("game", "language", language)
	return file.save(PATH)
