# snippet:doc https://docs.godotengine.org/en/stable/classes/class_array.html Array.sort_custom
# snippet:about Godot
# snippet:needs Godot 4.0
class_name WeaponBalance
extends RefCounted


class Weapon:
	var name: String
	var damage: int
	var seconds_between_hits: float

	func _init(weapon_name: String, hit_damage: int, seconds: float) -> void:
		name = weapon_name
		damage = hit_damage
		seconds_between_hits = seconds

	## The time from the first hit to the last one. Whatever the armour, each hit takes 1 at least.
	func seconds_to_kill(health: int, armour: int) -> float:
		var hits := maxi(ceili(float(health) / maxi(damage - armour, 1)), 1)
		return (hits - 1) * seconds_between_hits


## The weapons from the quickest to the slowest against one target.
static func ranking(weapons: Array[Weapon], health: int, armour: int) -> Array[Weapon]:
	var sorted := weapons.duplicate()
	sorted.sort_custom(
		func(a: Weapon, b: Weapon) -> bool:
			return a.seconds_to_kill(health, armour) < b.seconds_to_kill(health, armour)
	)
	return sorted


# snippet:check
# snippet:prints ["axe", "sword", "dagger"]
# snippet:prints ["axe", "dagger", "sword"]
# snippet:prints 0.0 0.0
static func check(_tree: SceneTree) -> void:
	var weapons: Array[Weapon] = [Weapon.new("dagger", 10, 0.25), Weapon.new("axe", 60, 2.0), Weapon.new("sword", 25, 0.8)]
	print(ranking(weapons, 100, 8).map(func(weapon: Weapon) -> String: return weapon.name))
	print(ranking(weapons, 100, 0).map(func(weapon: Weapon) -> String: return weapon.name))
	print(weapons[1].seconds_to_kill(50, 0), " ", weapons[1].seconds_to_kill(0, 0))
	assert(weapons[0].name == "dagger", "the caller's list stays as it was")
