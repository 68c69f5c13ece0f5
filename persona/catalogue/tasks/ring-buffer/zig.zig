// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#Generic-Data-Structures Generic data structures
// snippet:prints 2 3 4
// snippet:end
const std = @import("std");

/// The last `capacity` values in fixed memory; the oldest is overwritten.
pub fn RingBuffer(comptime T: type, comptime capacity: usize) type {
    if (capacity == 0) @compileError("a ring buffer needs room for one value at least");
    return struct {
        const Self = @This();

        items: [capacity]T = undefined,
        next: usize = 0,
        count: usize = 0,

        pub fn put(self: *Self, value: T) void {
            self.items[self.next] = value;
            self.next = (self.next + 1) % capacity;
            self.count = @min(self.count + 1, capacity);
        }

        /// The value at a place, the oldest first; null if there are not as many.
        pub fn get(self: *const Self, index: usize) ?T {
            if (index >= self.count) return null;
            return self.items[(self.next + capacity - self.count + index) % capacity];
        }
    };
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const out = &file.interface;
    var ring: RingBuffer(u8, 3) = .{};
    try std.testing.expectEqual(null, ring.get(0));
    for ([_]u8{ 1, 2, 3, 4 }) |value| ring.put(value);
    try out.print("{?} {?} {?}\n", .{ ring.get(0), ring.get(1), ring.get(2) });
    try std.testing.expectEqual(null, ring.get(3));
    try out.flush();
}
