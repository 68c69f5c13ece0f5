// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#packed-struct Packed structs
// snippet:prints 0x4d, 0x0d on channel 1, 0x0c without the flag
// snippet:prints channel 9
// snippet:end
const std = @import("std");

/// A register as the data sheet draws it, the lowest bit first. It is a byte: reads and writes need no masks.
pub const Control = packed struct(u8) {
    enabled: bool = false,
    priority: enum(u2) { low, middle, high, highest } = .low,
    channel: u4 = 0,
    reserved: u1 = 0,

    pub fn fromByte(byte: u8) Control {
        return @bitCast(byte);
    }

    pub fn toByte(control: Control) u8 {
        return @bitCast(control);
    }
};

comptime {
    // The layout is checked by the compiler, not by the first board.
    std.debug.assert((Control{ .enabled = true }).toByte() == 0b0000_0001);
    std.debug.assert((Control{ .channel = 1 }).toByte() == 0b0000_1000);
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const out = &file.interface;
    var control: Control = .{ .enabled = true, .priority = .high, .channel = 9 };
    const before = control.toByte();
    control.channel = 1;
    try out.print("0x{x:0>2}, 0x{x:0>2} on channel 1", .{ before, control.toByte() });
    control.enabled = false;
    try out.print(", 0x{x:0>2} without the flag\n", .{control.toByte()});
    try out.print("channel {d}\n", .{Control.fromByte(before).channel});
    try out.flush();
}
