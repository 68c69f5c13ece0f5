// snippet:check
// snippet:doc https://ziglang.org/documentation/master/std/ Zig standard library
// snippet:prints 300 is ac 02
// snippet:prints largest: 10 bytes, back: true
// snippet:prints Overflow Truncated
// snippet:end
const std = @import("std");

/// Writes seven bits at a time, the lowest first; the highest bit says that more follow. Returns the bytes used.
pub fn encode(value: u64, buffer: *[10]u8) []u8 {
    var rest = value;
    var used: usize = 0;
    while (rest >= 0x80) : (used += 1) {
        buffer[used] = @as(u8, @truncate(rest)) | 0x80;
        rest >>= 7;
    }
    buffer[used] = @truncate(rest);
    return buffer[0 .. used + 1];
}

pub const Decoded = struct { value: u64, used: usize };

/// Reads one integer from the start of `bytes`: the next one begins after the bytes used.
pub fn decode(bytes: []const u8) error{ Overflow, Truncated }!Decoded {
    var value: u64 = 0;
    for (bytes, 0..) |byte, i| {
        if (i == 9 and byte > 1) return error.Overflow; // 64 bits are nine groups of seven, and one bit
        value |= @as(u64, byte & 0x7f) << @intCast(7 * i);
        if (byte < 0x80) return .{ .value = value, .used = i + 1 };
    }
    return error.Truncated;
}
// snippet:check
fn nameOf(bytes: []const u8) []const u8 {
    _ = decode(bytes) catch |problem| return @errorName(problem);
    return "no error";
}
pub fn main(init: std.process.Init) !void {
    var stdout: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &stdout);
    const out = &file.interface;
    var buffer: [10]u8 = undefined;
    const coded = encode(300, &buffer);
    try out.print("300 is {x:0>2} {x:0>2}\n", .{ coded[0], coded[1] });
    const largest = encode(std.math.maxInt(u64), &buffer);
    try out.print("largest: {d} bytes, back: {}\n", .{ largest.len, (try decode(largest)).value == std.math.maxInt(u64) });
    try std.testing.expectEqual(Decoded{ .value = 300, .used = 2 }, try decode(&.{ 0xac, 0x02, 0x07 }));
    try out.print("{s} {s}\n", .{ nameOf(&@as([10]u8, @splat(0xff))), nameOf(&.{0x80}) });
    try out.flush();
}
