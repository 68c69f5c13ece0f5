// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#Error-Union-Type Error unions
// snippet:prints type 7: hi
// snippet:prints TooShort BadMagic TooShort
// snippet:end
const std = @import("std");

pub const Frame = struct { kind: u8, payload: []const u8 };

const magic = 0xCAFE;
const header_size = 5; // magic (2), kind (1), length of the payload (2), high bytes first

/// Reads one frame from the start of `bytes`. The payload is a part of `bytes`: nothing is copied.
pub fn parse(bytes: []const u8) error{ TooShort, BadMagic }!Frame {
    if (bytes.len < header_size) return error.TooShort;
    if (std.mem.readInt(u16, bytes[0..2], .big) != magic) return error.BadMagic;
    const length = std.mem.readInt(u16, bytes[3..5], .big);
    if (bytes.len - header_size < length) return error.TooShort; // compared before a byte of it is read
    return .{ .kind = bytes[2], .payload = bytes[header_size..][0..length] };
}
// snippet:check
fn nameOf(bytes: []const u8) []const u8 {
    _ = parse(bytes) catch |problem| return @errorName(problem);
    return "no error";
}
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const out = &file.interface;
    const frame = try parse(&.{ 0xCA, 0xFE, 7, 0, 2, 'h', 'i', 0xCA });
    try out.print("type {d}: {s}\n", .{ frame.kind, frame.payload });
    try out.print("{s} {s} {s}\n", .{ nameOf(&.{ 0xCA, 0xFE, 7 }), nameOf(&.{ 0xCA, 0xFF, 7, 0, 0 }), nameOf(&.{ 0xCA, 0xFE, 7, 0, 3, 1, 2 }) });
    try out.flush();
}
