# snippet:why Enemies find their way round the walls.
# snippet:description A grid with walls, in which the engine looks for a way with A*. The way leads through the middle of cells,
# snippet:description also diagonally, and doors may open or close while the game runs.
# snippet:title Find a way on a grid
# snippet:doc https://docs.godotengine.org/en/stable/classes/class_astargrid2d.html AStarGrid2D
# snippet:about Godot
# snippet:needs Godot 4.2
class_name PathFinder
extends RefCounted

var _grid := AStarGrid2D.new()


## Takes the size of the map in cells and the cells with walls.
func _init(size: Vector2i, cell_size: Vector2, walls: Array[Vector2i]) -> void:
	_grid.region = Rect2i(Vector2i.ZERO, size)
	_grid.cell_size = cell_size
	_grid.offset = cell_size / 2.0  # paths lead through the middle of cells
	_grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES  # no cutting of corners
	_grid.update()  # before walls are set: it clears them
	for wall in walls:
		_grid.set_point_solid(wall)


## The way in pixels; empty if there is none.
func path(from: Vector2i, to: Vector2i) -> PackedVector2Array:
	if not _grid.is_in_boundsv(from) or not _grid.is_in_boundsv(to):
		return PackedVector2Array()
	return _grid.get_point_path(from, to)


## A door opens or closes while the game runs.
func set_wall(cell: Vector2i, solid: bool) -> void:
	_grid.set_point_solid(cell, solid)


# snippet:check
# snippet:prints [(5.0, 5.0), (5.0, 15.0), (5.0, 25.0), (15.0, 25.0), (25.0, 25.0), (25.0, 15.0), (25.0, 5.0)]
# snippet:prints []
# snippet:prints [(5.0, 5.0), (5.0, 15.0), (15.0, 15.0), (25.0, 15.0), (25.0, 5.0)]
# snippet:prints []
static func check(_tree: SceneTree) -> void:
	var finder := PathFinder.new(Vector2i(3, 3), Vector2(10, 10), [Vector2i(1, 0), Vector2i(1, 1)])
	print(finder.path(Vector2i.ZERO, Vector2i(2, 0)))
	finder.set_wall(Vector2i(1, 2), true)
	print(finder.path(Vector2i.ZERO, Vector2i(2, 0)))
	finder.set_wall(Vector2i(1, 1), false)
	print(finder.path(Vector2i.ZERO, Vector2i(2, 0)))
	print(finder.path(Vector2i.ZERO, Vector2i(3, 0)))
