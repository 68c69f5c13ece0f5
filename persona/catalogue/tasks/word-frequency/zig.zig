// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#Choosing-an-Allocator Choosing an allocator
// snippet:needs Zig 0.15
// snippet:prints the 3, fox 2
// snippet:end
const std = @import("std");

pub const Word = struct { text: []const u8, count: usize };

/// The words of an ASCII text, in lower case, the most frequent first and ties in alphabetical order. An apostrophe
/// ends a word. They live as long as `arena`, which owns everything: one call frees it all.
pub fn frequencies(arena: std.mem.Allocator, text: []const u8) ![]Word {
    const lower = try std.ascii.allocLowerString(arena, text);
    var counts: std.StringHashMap(usize) = .init(arena);
    var words = std.mem.tokenizeAny(u8, lower, " \t\r\n\x0b\x0c.,;:!?\"'`()[]{}<>|/\\*_~#$%&+=@^-");
    while (words.next()) |word| {
        const entry = try counts.getOrPutValue(word, 0);
        entry.value_ptr.* += 1;
    }
    var list: std.ArrayList(Word) = .empty;
    var entries = counts.iterator();
    while (entries.next()) |entry| {
        try list.append(arena, .{ .text = entry.key_ptr.*, .count = entry.value_ptr.* });
    }
    std.mem.sort(Word, list.items, {}, comesFirst);
    return list.items;
}

fn comesFirst(_: void, a: Word, b: Word) bool {
    if (a.count != b.count) return a.count > b.count;
    return std.mem.lessThan(u8, a.text, b.text);
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const words = try frequencies(init.arena.allocator(), "The [fox],\x0cthe dog;\n\x0c\nthe\x0b'FOX'!");
    try std.testing.expectEqual(3, words.len);
    try file.interface.print("{s} {d}, {s} {d}\n", .{ words[0].text, words[0].count, words[1].text, words[1].count });
    try file.interface.flush();
}
