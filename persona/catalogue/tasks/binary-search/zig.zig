// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#comptime Generic functions
// snippet:prints 2 0 4
// snippet:end
const std = @import("std");

/// The first index at which `isTrue` holds, in items sorted so that it does not hold before and holds from there
/// on; `items.len` if it never does. The other way round, true before false, is `std.sort.partitionPoint`.
pub fn firstIndex(comptime T: type, items: []const T, context: T, comptime isTrue: fn (T, T) bool) usize {
    var low: usize = 0;
    var high = items.len;
    while (low < high) {
        const middle = low + (high - low) / 2; // low + high could overflow
        if (isTrue(context, items[middle])) high = middle else low = middle + 1;
    }
    return low;
}

fn atLeast(limit: u32, item: u32) bool {
    return item >= limit;
}

pub fn firstAtLeast(sorted: []const u32, limit: u32) usize {
    return firstIndex(u32, sorted, limit, atLeast);
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const sorted = [_]u32{ 1, 3, 5, 8 };
    try file.interface.print("{d} {d} {d}\n", .{ firstAtLeast(&sorted, 4), firstAtLeast(&sorted, 0), firstAtLeast(&sorted, 9) });
    try std.testing.expectEqual(0, firstAtLeast(&.{}, 1));
    try std.testing.expectEqual(1, firstAtLeast(&.{ 3, 5, 5, 5, 8 }, 4));
    try file.interface.flush();
}
