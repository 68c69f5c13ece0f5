// snippet:doc https://developer.apple.com/documentation/foundation/nsmutabledictionary NSMutableDictionary
// snippet:prints 3
// snippet:prints gap
// snippet:prints 7
#import <Foundation/Foundation.h>
#include <math.h>

/// Means of readings (time in seconds -> value) in equal intervals, in order;
/// the width is above zero.
/// An interval without readings is NSNull: a gap is information.
NSArray *BucketMeans(NSDictionary<NSNumber *, NSNumber *> *readings, NSTimeInterval width)
{
    NSMutableDictionary *groups = [NSMutableDictionary dictionary];
    for (NSNumber *time in readings) {
        NSNumber *index = @(floor(time.doubleValue / width));
        if (![groups objectForKey:index]) [groups setObject:[NSMutableArray array] forKey:index];
        [[groups objectForKey:index] addObject:[readings objectForKey:time]];
    }
    NSMutableArray *means = [NSMutableArray array];
    double last = [[[groups allKeys] valueForKeyPath:@"@max.self"] doubleValue];
    for (double i = [[[groups allKeys] valueForKeyPath:@"@min.self"] doubleValue];
         groups.count > 0 && i <= last; i++) {
        NSArray *values = [groups objectForKey:@(i)];
        [means addObject:[values valueForKeyPath:@"@avg.self"] ?: (id)[NSNull null]];
    }
    return means;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        for (id mean in BucketMeans(@{@960 : @2, @980 : @4, @1090 : @7}, 60))
            puts([mean isKindOfClass:[NSNull class]] ? "gap" : [[mean stringValue] UTF8String]);
    }
    return 0;
}
