// snippet:check
// snippet:description The states and events of a connection, and the answer to every event in each of them. An event that the
// snippet:description current state does not allow is the error NotAllowed; after three tries in vain the connection has failed.
// snippet:doc https://ziglang.org/documentation/master/#Tagged-union Tagged unions
// snippet:prints idle -> connecting(1) -> connecting(2) -> online
// snippet:prints NotAllowed
// snippet:end
const std = @import("std");

/// What belongs to a state stands in it: there are tries only while connecting.
pub const State = union(enum) {
    idle,
    connecting: struct { tries: u8 },
    online,
    failed,
};

pub const Event = enum { dial, no_answer, connected, hang_up };

/// The switch names every state, or it does not compile; what none of them takes is an error.
pub fn next(state: State, event: Event) error{NotAllowed}!State {
    return switch (state) {
        .idle, .failed => if (event == .dial) .{ .connecting = .{ .tries = 1 } } else error.NotAllowed,
        .connecting => |connecting| switch (event) {
            .connected => .online,
            .hang_up => .idle,
            .no_answer => if (connecting.tries < 3) .{ .connecting = .{ .tries = connecting.tries + 1 } } else .failed,
            .dial => error.NotAllowed,
        },
        .online => if (event == .hang_up) .idle else error.NotAllowed,
    };
}
// snippet:check
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    const out = &file.interface;
    var state: State = .idle;
    try out.writeAll("idle");
    for ([_]Event{ .dial, .no_answer, .connected }) |event| {
        state = try next(state, event);
        switch (state) {
            .connecting => |c| try out.print(" -> connecting({d})", .{c.tries}),
            else => try out.print(" -> {s}", .{@tagName(state)}),
        }
    }
    try out.writeAll("\n");
    _ = next(state, .dial) catch |problem| try out.print("{s}\n", .{@errorName(problem)});
    try std.testing.expectEqual(State.failed, try next(.{ .connecting = .{ .tries = 3 } }, .no_answer));
    try out.flush();
}
