// snippet:doc https://developer.apple.com/documentation/foundation/nsdate/timeintervalsince(_:) NSDate timeIntervalSinceDate:
// snippet:prints just now
// snippet:prints 1 minute ago
// snippet:prints in 3 hours
// snippet:prints 2 days ago
#import <Foundation/Foundation.h>

/// "just now", "1 minute ago", "in 3 hours": days are the largest unit. (Apple's
/// systems also have NSRelativeDateTimeFormatter, which speaks many languages.)
NSString *RelativeTime(NSDate *then, NSDate *now)
{
    NSArray *units = @[ @[ @86400, @"day" ], @[ @3600, @"hour" ], @[ @60, @"minute" ] ];
    NSTimeInterval distance = [then timeIntervalSinceDate:now];

    for (NSArray *unit in units) {
        long amount = labs((long)distance / [[unit firstObject] longValue]);
        if (amount == 0) continue;
        NSString *text = [NSString stringWithFormat:@"%ld %@%@", amount, [unit lastObject],
                                                    amount == 1 ? @"" : @"s"];
        return distance < 0 ? [text stringByAppendingString:@" ago"]
                            : [@"in " stringByAppendingString:text];
    }
    return @"just now";
}
// snippet:usage
int main(void)
{
    @autoreleasepool {
        NSDate *now = [NSDate dateWithTimeIntervalSince1970:1767225600];
        for (NSNumber *offset in @[ @-20, @-60, @10800, @-172800 ])
            puts([RelativeTime([now dateByAddingTimeInterval:offset.doubleValue], now) UTF8String]);
    }
    return 0;
}
