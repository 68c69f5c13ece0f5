// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#comptime Compile-time
// snippet:prints 29b1, flipped bit caught: true
// snippet:end
const std = @import("std");

/// CRC-16/CCITT-FALSE of each byte, worked out while compiling: no table to copy wrongly.
const table = made: {
    @setEvalBranchQuota(5000);
    var sums: [256]u16 = undefined;
    for (&sums, 0..) |*sum, byte| {
        sum.* = @as(u16, byte) << 8;
        for (0..8) |_| {
            const carry = sum.* & 0x8000 != 0;
            sum.* <<= 1;
            if (carry) sum.* ^= 0x1021;
        }
    }
    break :made sums;
};

pub fn checksum(bytes: []const u8) u16 {
    var sum: u16 = 0xFFFF;
    for (bytes) |byte| {
        const high: u8 = @truncate(sum >> 8);
        sum = (sum << 8) ^ table[high ^ byte];
    }
    return sum; // zero for a frame with its own sum appended, high byte first
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    var frame = "123456789\x29\xb1".*;
    try std.testing.expectEqual(0, checksum(&frame));
    frame[3] ^= 0x10;
    try file.interface.print("{x}, flipped bit caught: {}\n", .{ checksum("123456789"), checksum(&frame) != 0 });
    try file.interface.flush();
}
