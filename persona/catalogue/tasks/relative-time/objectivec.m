// snippet:doc https://developer.apple.com/documentation/foundation/nsdate/timeintervalsince(_:) NSDate timeIntervalSinceDate:
// snippet:prints just now
// snippet:prints 1 minute ago
// snippet:prints in 3 hours
// snippet:prints 2 days ago
#import <Foundation/Foundation.h>
#include <math.h>

/// "just now", "1 minute ago", "in 3 hours": the largest unit that fits. (Apple's
/// systems also have NSRelativeDateTimeFormatter, which speaks many languages.)
NSString *RelativeTime(NSDate *then, NSDate *now)
{
    static const struct { const char *name; double seconds; } units[] = {
        {"day", 86400}, {"hour", 3600}, {"minute", 60},
    };
    NSTimeInterval distance = [then timeIntervalSinceDate:now];

    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        long amount = (long)(fabs(distance) / units[i].seconds);
        if (amount == 0) continue;
        NSString *text = [NSString stringWithFormat:@"%ld %s%s", amount, units[i].name,
                                                    amount == 1 ? "" : "s"];
        return distance < 0 ? [text stringByAppendingString:@" ago"]
                            : [@"in " stringByAppendingString:text];
    }
    return @"just now";
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSDate *now = [NSDate dateWithTimeIntervalSince1970:1767225600];
        for (NSNumber *offset in @[ @-20, @-60, @10800, @-172800 ])
            puts([RelativeTime([now dateByAddingTimeInterval:offset.doubleValue], now) UTF8String]);
    }
    return 0;
}
