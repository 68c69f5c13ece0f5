// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.queue-1 Queue<T>
using System.Collections.Generic;

public static class Maze
{
    private static readonly (int Rows, int Columns)[] Directions = { (1, 0), (-1, 0), (0, 1), (0, -1) };

    /// <summary>The fewest steps from the start to G past walls (#), or -1 if there is no way.</summary>
    public static int ShortestPath(string[] map, (int Row, int Column) start)
    {
        var seen = new HashSet<(int, int)> { start };
        var frontier = new Queue<(int Row, int Column, int Steps)>();
        frontier.Enqueue((start.Row, start.Column, 0));
        while (frontier.Count > 0)
        {
            var (row, column, steps) = frontier.Dequeue();
            if (map[row][column] == 'G')
                return steps;
            foreach (var step in Directions)
            {
                var r = row + step.Rows;
                var c = column + step.Columns;
                var inside = r >= 0 && r < map.Length && c >= 0 && c < map[r].Length;
                if (inside && map[r][c] != '#' && seen.Add((r, c)))
                    frontier.Enqueue((r, c, steps + 1));
            }
        }
        return -1;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        System.Console.WriteLine(Maze.ShortestPath(new[] { "S.#.", "..#G", "...." }, (0, 0)));
        System.Console.WriteLine(Maze.ShortestPath(new[] { "S#G" }, (0, 0)));
    }
}
// snippet:prints 6
// snippet:prints -1
