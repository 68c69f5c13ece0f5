// snippet:doc https://developer.apple.com/documentation/foundation/nsregularexpression NSRegularExpression
// snippet:prints 2026-03-01T10 2
// snippet:prints 2026-03-01T11 1
#import <Foundation/Foundation.h>

/// Errors per hour of lines like "2026-03-01T10:00:01Z ERROR disk full".
NSCountedSet<NSString *> *ErrorsPerHour(NSString *log)
{
    NSError *error = nil;
    NSRegularExpression *pattern = [NSRegularExpression
        regularExpressionWithPattern:@"^(\\d{4}-\\d\\d-\\d\\dT\\d\\d)\\S* ERROR "
                             options:NSRegularExpressionAnchorsMatchLines
                               error:&error];
    NSCAssert(pattern, @"%@", error);

    NSCountedSet *hours = [NSCountedSet set];
    NSArray *matches = [pattern matchesInString:log
                                        options:0
                                          range:NSMakeRange(0, log.length)];
    for (NSTextCheckingResult *match in matches) {
        [hours addObject:[log substringWithRange:[match rangeAtIndex:1]]];
    }
    return hours;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSCountedSet *hours = ErrorsPerHour(@"2026-03-01T09:59:58Z INFO started\n2026-03-01T10:00:01Z ERROR disk full\n  at write\n"
                                             "2026-03-01T10:00:02Z ERROR write failed\n2026-03-01T11:10:00Z ERROR timeout\n");
        for (NSString *hour in [[hours allObjects] sortedArrayUsingSelector:@selector(compare:)])
            printf("%s %lu\n", [hour UTF8String], (unsigned long)[hours countForObject:hour]);
    }
    return 0;
}
