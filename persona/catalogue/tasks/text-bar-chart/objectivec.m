// snippet:doc https://developer.apple.com/documentation/foundation/nsstring NSString
// snippet:prints checkout |######## 12
// snippet:prints login    | 0
// snippet:prints search   |#################### 30.5
#import <Foundation/Foundation.h>
#include <math.h>

/// One line per label, in order of the labels; the longest bar has `width` marks.
NSString *BarChart(NSDictionary<NSString *, NSNumber *> *values, NSUInteger width)
{
    NSArray *labels = [[values allKeys] sortedArrayUsingSelector:@selector(compare:)];
    NSUInteger labelWidth = [[labels valueForKeyPath:@"@max.length"] unsignedIntegerValue];
    double highest = [[[values allValues] valueForKeyPath:@"@max.self"] doubleValue];

    NSMutableString *chart = [NSMutableString string];
    for (NSString *label in labels) {
        NSNumber *value = [values objectForKey:label];
        double share = highest > 0 ? fmax(0, value.doubleValue / highest) : 0; // NaN: no bar
        NSUInteger marks = (NSUInteger)lround(share * (double)width);
        NSString *padded = [label stringByPaddingToLength:labelWidth
                                               withString:@" "
                                          startingAtIndex:0];
        NSString *bar = [@"" stringByPaddingToLength:marks withString:@"#" startingAtIndex:0];
        [chart appendFormat:@"%@ |%@ %@\n", padded, bar, value];
    }
    return chart;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        fputs([BarChart(@{@"checkout" : @12, @"search" : @30.5, @"login" : @0}, 20) UTF8String], stdout);
    }
    return 0;
}
