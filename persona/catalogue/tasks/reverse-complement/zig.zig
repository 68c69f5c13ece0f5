// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#comptime Compile-time
// snippet:needs Zig 0.14
// snippet:prints TGCNaacg
// snippet:prints NotABase
// snippet:end
const std = @import("std");

/// The base on the other strand for each byte, and zero for what is no base; made by the compiler.
const complements = table: {
    var table: [256]u8 = @splat(0);
    for ("ACGTNacgtn", "TGCANtgcan") |base, other| table[base] = other;
    break :table table;
};

/// Turns a strand into the other one, in place: from both ends towards the middle.
pub fn reverseComplement(strand: []u8) error{NotABase}!void {
    for (strand) |base| {
        if (complements[base] == 0) return error.NotABase; // before anything is changed
    }
    std.mem.reverse(u8, strand);
    for (strand) |*base| base.* = complements[base.*];
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const out = &file.interface;
    var strand = "cgttNGCA".*;
    try reverseComplement(&strand);
    try out.print("{s}\n", .{strand});
    var rna = "ACU".*;
    reverseComplement(&rna) catch |problem| try out.print("{s}\n", .{@errorName(problem)});
    try std.testing.expectEqualStrings("ACU", &rna);
    try out.flush();
}
