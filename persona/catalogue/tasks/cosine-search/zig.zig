// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#Vectors Vectors
// snippet:prints 2: 1.00, 0: 0.71
// snippet:end
const std = @import("std");

pub const Match = struct { index: usize, similarity: f32 };

/// The dot product, eight numbers at a time in one register.
fn dot(a: []const f32, b: []const f32) f32 {
    var sums: @Vector(8, f32) = @splat(0);
    var i: usize = 0;
    while (i + 8 <= a.len) : (i += 8) {
        sums += @as(@Vector(8, f32), a[i..][0..8].*) * @as(@Vector(8, f32), b[i..][0..8].*);
    }
    var sum = @reduce(.Add, sums);
    while (i < a.len) : (i += 1) sum += a[i] * b[i];
    return sum;
}

/// Fills `best` with the vectors most similar to `query`, the best first; returns how many there are.
/// Vectors of zeros have no direction and are left out.
pub fn search(query: []const f32, vectors: []const []const f32, best: []Match) usize {
    var found: usize = 0;
    for (vectors, 0..) |vector, index| {
        const lengths = @sqrt(dot(vector, vector) * dot(query, query));
        if (lengths == 0) continue;
        const match: Match = .{ .index = index, .similarity = dot(query, vector) / lengths };
        var place = found;
        while (place > 0 and best[place - 1].similarity < match.similarity) : (place -= 1) {
            if (place < best.len) best[place] = best[place - 1];
        }
        if (place == best.len) continue;
        best[place] = match;
        found = @min(found + 1, best.len);
    }
    return found;
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const x: [9]f32 = .{ 1, 0, 0, 0, 0, 0, 0, 0, 1 };
    const y: [9]f32 = .{ 1, 0, 0, 0, 0, 0, 0, 0, 0 };
    const zero: [9]f32 = @splat(0);
    const opposite: [9]f32 = .{ 0, -1, 0, 0, 0, 0, 0, 0, 0 };
    var best: [2]Match = undefined;
    const n = search(&x, &.{ &y, &zero, &x, &opposite }, &best);
    try std.testing.expectEqual(2, n);
    try file.interface.print("{d}: {d:.2}, {d}: {d:.2}\n", .{ best[0].index, best[0].similarity, best[1].index, best[1].similarity });
    try file.interface.flush();
}
