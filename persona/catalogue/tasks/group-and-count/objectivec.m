// snippet:doc https://developer.apple.com/documentation/foundation/nscountedset NSCountedSet
// snippet:description Count how often each value of a key occurs and list the most frequent first; `NSCountedSet` does the
// snippet:description counting. A second function adds up one column of all records.
// snippet:prints Rome 2
// snippet:prints Bath 1
// snippet:prints 1500
#import <Foundation/Foundation.h>

/// How often each text of a key, which every record has, occurs: the most frequent first.
NSArray<NSString *> *CountedValues(NSArray<NSDictionary *> *records, NSString *key)
{
    NSCountedSet *counts = [NSCountedSet setWithArray:[records valueForKey:key]];
    NSArray *values = [[counts allObjects]
        sortedArrayUsingComparator:^NSComparisonResult(NSString *a, NSString *b) {
            NSUInteger countA = [counts countForObject:a], countB = [counts countForObject:b];
            if (countA == countB) return [a compare:b];
            return countA > countB ? NSOrderedAscending : NSOrderedDescending;
        }];
    NSMutableArray *lines = [NSMutableArray array];
    for (NSString *value in values) {
        NSUInteger count = [counts countForObject:value];
        [lines addObject:[NSString stringWithFormat:@"%@ %lu", value, (unsigned long)count]];
    }
    return lines;
}

/// Key-value coding adds up a column without a loop.
NSNumber *Total(NSArray<NSDictionary *> *records, NSString *key)
{
    return [records valueForKeyPath:[@"@sum." stringByAppendingString:key]];
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSArray *sales = @[
            @{@"city" : @"Rome", @"cents" : @200}, @{@"city" : @"Bath", @"cents" : @900}, @{@"city" : @"Rome", @"cents" : @400}
        ];
        for (NSString *line in CountedValues(sales, @"city")) puts([line UTF8String]);
        printf("%d\n", [Total(sales, @"cents") intValue]);
    }
    return 0;
}
