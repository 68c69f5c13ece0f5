// snippet:doc https://developer.apple.com/documentation/foundation/nsmutableset NSMutableSet
// snippet:prints + log: json
// snippet:prints ~ port: 80 -> 443
// snippet:prints - tls
#import <Foundation/Foundation.h>

/// Lines like "+ key: new", "- key" and "~ key: old -> new", ordered by key.
NSArray<NSString *> *DifferenceLines(NSDictionary *before, NSDictionary *after)
{
    NSMutableSet *keys = [NSMutableSet setWithArray:[before allKeys]];
    [keys addObjectsFromArray:[after allKeys]];

    NSMutableArray *lines = [NSMutableArray array];
    for (NSString *key in [[keys allObjects] sortedArrayUsingSelector:@selector(compare:)]) {
        id was = [before objectForKey:key];
        id is = [after objectForKey:key];
        if (!was) {
            [lines addObject:[NSString stringWithFormat:@"+ %@: %@", key, is]];
        } else if (!is) {
            [lines addObject:[NSString stringWithFormat:@"- %@", key]];
        } else if (![was isEqual:is]) {
            [lines addObject:[NSString stringWithFormat:@"~ %@: %@ -> %@", key, was, is]];
        }
    }
    return lines;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSDictionary *before = @{@"port" : @80, @"host" : @"a", @"tls" : @0}, *after = @{@"port" : @443, @"host" : @"a", @"log" : @"json"};
        for (NSString *line in DifferenceLines(before, after)) puts([line UTF8String]);
    }
    return 0;
}
