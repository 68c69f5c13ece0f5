// snippet:check
// snippet:doc https://ziglang.org/documentation/master/#Zig-Test Zig test
// snippet:prints 3 cases
// snippet:end
const std = @import("std");

/// One too late: the table finds it.
fn clamp(value: i32, low: i32, high: i32) i32 {
    return if (value > high + 1) high else @max(value, low);
}

const Case = struct { value: i32, low: i32, high: i32, want: i32 };

const cases = [_]Case{
    .{ .value = 5, .low = 0, .high = 10, .want = 5 },
    .{ .value = -1, .low = 0, .high = 10, .want = 0 },
    .{ .value = 11, .low = 0, .high = 10, .want = 10 },
};

test "clamp" {
    var failed: usize = 0;
    for (cases) |case| {
        const got = clamp(case.value, case.low, case.high);
        if (got == case.want) continue;
        failed += 1; // and go on: one run tells about all rows
        std.debug.print("clamp({d}, {d}, {d}) is {d}, not {d}\n", .{ case.value, case.low, case.high, got, case.want });
    }
    if (failed > 0) {
        std.debug.print("{d} of {d} failed\n", .{ failed, cases.len });
        return error.TestFailed;
    }
}
// snippet:check
// The test is run by the check's script.
pub fn main(init: std.process.Init) !void {
    var buffer: [256]u8 = undefined;
    var file: std.Io.File.Writer = .init(.stdout(), init.io, &buffer);
    try file.interface.print("{d} cases\n", .{cases.len});
    try file.interface.flush();
}
