// snippet:doc https://developer.apple.com/documentation/foundation/nsarray NSArray
// snippet:prints p50=100 ms p95=190 ms p99=198 ms p100=200 ms
#import <Foundation/Foundation.h>
#include <math.h>

/// Nearest rank, percent from 0 to 100: a sample that was really measured; nil without samples.
NSNumber *Percentile(NSArray<NSNumber *> *sorted, double percent)
{
    if (sorted.count == 0) return nil;
    NSUInteger rank = (NSUInteger)ceil(percent * (double)sorted.count / 100);
    return [sorted objectAtIndex:MAX(rank, 1u) - 1];
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
    }
    return 0;
}
