// snippet:doc https://developer.apple.com/documentation/foundation/nsarray NSArray
// snippet:prints p50=100 ms p95=190 ms p99=198 ms p100=200 ms
#import <Foundation/Foundation.h>
#include <math.h>

/// Nearest rank, percent from 0 to 100: a sample that was really measured; nil without samples.
NSNumber *Percentile(NSArray<NSNumber *> *sorted, double percent)
{
    if (sorted.count == 0) return nil;
    // 99.9 * 41000 / 100 is above 40959.
    NSUInteger rank = (NSUInteger)fmax(ceil(percent * (double)sorted.count / 100 - 1e-7), 1);
    return [sorted objectAtIndex:rank - 1];
}

NSString *LatencySummary(NSArray<NSNumber *> *milliseconds)
{
    NSArray *sorted = [milliseconds sortedArrayUsingSelector:@selector(compare:)];
    NSMutableArray *parts = [NSMutableArray array];
    for (NSNumber *percent in @[ @50, @95, @99, @100 ]) {
        NSNumber *value = Percentile(sorted, percent.doubleValue);
        [parts addObject:[NSString stringWithFormat:@"p%@=%@ ms", percent, value ?: @"-"]];
    }
    return [parts componentsJoinedByString:@" "];
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSMutableArray *samples = [NSMutableArray array];
        for (int i = 200; i > 0; i--) [samples addObject:@(i)];
        puts([LatencySummary(samples) UTF8String]);
        NSMutableArray *many = [NSMutableArray array];
        for (int i = 1; i <= 41000; i++) [many addObject:@(i)];
        if ([Percentile(many, 99.9) intValue] != 40959 || [Percentile(many, 0) intValue] != 1) return 1;
    }
    return 0;
}
