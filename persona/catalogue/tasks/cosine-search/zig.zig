// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#Vectors Vectors
// snippet:description Normalise all vectors once, so that a dot product is their similarity, compare the query with each, and keep
// snippet:description the best few. Products are added eight at a time; a vector of zeros is reported, for the caller to leave
// snippet:description out. The sum of a vector's squares must not overflow, nor vanish.
// snippet:needs Zig 0.15
// snippet:prints 2: 1.00, 0: 0.71
// snippet:end
const std = @import("std");
pub const Match = struct { index: usize, similarity: f32 };

fn dot(a: []const f32, b: []const f32) f32 {
    const Eight = @Vector(8, f32); // eight numbers at a time
    var sums: Eight = @splat(0);
    var i: usize = 0;
    while (i + 8 <= a.len) : (i += 8) sums += @as(Eight, a[i..][0..8].*) * @as(Eight, b[i..][0..8].*);
    var sum = @reduce(.Add, sums);
    while (i < a.len) : (i += 1) sum += a[i] * b[i];
    return sum;
}

/// Gives a vector the length 1, once, before it is stored. False for zeros: they have no direction, leave them out.
pub fn normalise(vector: []f32) bool {
    const length = @sqrt(dot(vector, vector));
    if (length == 0) return false;
    for (vector) |*number| number.* /= length;
    return true;
}

/// Fills `best` with those most similar to `query`, the best first; returns how many. All are normalised, of one size.
pub fn search(query: []const f32, vectors: []const []const f32, best: []Match) usize {
    var found: usize = 0;
    for (vectors, 0..) |vector, index| {
        const similarity = dot(query, vector);
        var place = found;
        while (place > 0 and best[place - 1].similarity < similarity) place -= 1;
        if (place == best.len) continue;
        found = @min(found + 1, best.len);
        @memmove(best[place + 1 .. found], best[place .. found - 1]);
        best[place] = .{ .index = index, .similarity = similarity };
    }
    return found;
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    var x: [9]f32 = .{ 2, 0, 0, 0, 0, 0, 0, 0, 2 };
    var y: [9]f32 = .{ 3, 0, 0, 0, 0, 0, 0, 0, 0 };
    var zero: [9]f32 = @splat(0);
    const opposite: [9]f32 = .{ 0, -1, 0, 0, 0, 0, 0, 0, 0 };
    try std.testing.expect(normalise(&x) and normalise(&y) and !normalise(&zero));
    var best: [2]Match = undefined;
    const n = search(&x, &.{ &y, &opposite, &x, &opposite }, &best);
    try std.testing.expectEqual(2, n);
    try file.interface.print("{d}: {d:.2}, {d}: {d:.2}\n", .{ best[0].index, best[0].similarity, best[1].index, best[1].similarity });
    try file.interface.flush();
}
