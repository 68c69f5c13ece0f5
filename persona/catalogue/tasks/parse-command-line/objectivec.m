// snippet:doc https://developer.apple.com/documentation/foundation/nsenumerator NSEnumerator
// snippet:prints 3 1 a.txt
// snippet:prints -n wants a number from 1
// snippet:prints unknown option -q
// snippet:prints usage: words [-v] [-n COUNT] FILE...
#import <Foundation/Foundation.h>

/// words [-v] [-n COUNT] FILE...: options and files, or nil and a message.
/// The arguments come without the program's name.
NSDictionary *ParseArguments(NSArray<NSString *> *arguments, NSString **message)
{
    NSInteger count = 10;
    BOOL verbose = NO;
    NSMutableArray *files = [NSMutableArray array];
    NSEnumerator *rest = [arguments objectEnumerator];

    for (NSString *argument; (argument = [rest nextObject]);) {
        if ([argument isEqualToString:@"-v"]) {
            verbose = YES;
        } else if ([argument isEqualToString:@"-n"]) {
            NSString *number = [rest nextObject];
            count = [number integerValue]; // 0 if it is no number, 3 if it is 3x
            if (count < 1 || ![number isEqual:[@(count) stringValue]])
                return *message = @"-n wants a number from 1", nil;
        } else if ([argument hasPrefix:@"-"]) {
            return *message = [@"unknown option " stringByAppendingString:argument], nil;
        } else {
            [files addObject:argument];
        }
    }
    if (files.count == 0) return *message = @"usage: words [-v] [-n COUNT] FILE...", nil;
    return @{@"count" : @(count), @"verbose" : @(verbose), @"files" : files};
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSString *message = nil;
        NSDictionary *options = ParseArguments(@[ @"-v", @"-n", @"3", @"a.txt" ], &message);
        printf("%d %d %s\n", [[options objectForKey:@"count"] intValue], [[options objectForKey:@"verbose"] boolValue],
               [[[options objectForKey:@"files"] firstObject] UTF8String]);
        for (NSArray *bad in @[ @[ @"-n", @"3x" ], @[ @"-q" ], @[] ]) {
            ParseArguments(bad, &message);
            puts([message UTF8String]);
        }
    }
    return 0;
}
