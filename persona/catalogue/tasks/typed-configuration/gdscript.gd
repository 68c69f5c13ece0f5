# snippet:why Players edit the file, and the game starts all the same.
# snippet:description Keep a player's settings in a file, with defaults for the first start. The file is read with care: a value of
# snippet:description another type is left out, and the volume is held to its limits.
# snippet:doc https://docs.godotengine.org/en/stable/classes/class_configfile.html ConfigFile
# snippet:about Godot
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
	# Players edit the file: a value of another type is left out, and a number held to its limits.
	var stored: Variant = file.get_value("sound", "volume", volume)
	if (stored is float or stored is int) and not is_nan(stored):
		volume = clampf(stored, 0.0, 1.0)
	stored = file.get_value("video", "full_screen", full_screen)
	full_screen = stored if stored is bool else full_screen
	stored = file.get_value("game", "language", language)
	if stored is String:
		language = stored


func save_file() -> Error:
	var file := ConfigFile.new()
	file.set_value("sound", "volume", volume)
	file.set_value("video", "full_screen", full_screen)
	file.set_value("game", "language", language)
	return file.save(PATH)


# snippet:check
# snippet:prints 0.8 false en
# snippet:prints 0.5 true en
# snippet:prints 1.0 false en
# snippet:prints 0.3 true de
# snippet:prints 0.8 false en
static func check(_tree: SceneTree) -> void:
	for text: String in ['[sound]\nvolume=nan', '[sound]\nvolume=0.5\n[video]\nfull_screen=true', '[sound]\nvolume=7\n[video]\nfull_screen="yes"\n[game]\nlanguage=3']:
		var file := FileAccess.open(PATH, FileAccess.WRITE)
		file.store_string(text)
		file.close()
		_print_loaded()
	var written := Settings.new()
	written.volume = 0.3
	written.full_screen = true
	written.language = "de"
	assert(written.save_file() == OK)
	_print_loaded()
	DirAccess.remove_absolute(PATH)
	_print_loaded()


static func _print_loaded() -> void:
	var loaded := Settings.new()
	loaded.load_file()
	print(loaded.volume, " ", loaded.full_screen, " ", loaded.language)
