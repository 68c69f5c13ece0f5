// snippet:doc https://developer.apple.com/documentation/foundation/nsscanner NSScanner
// snippet:prints 0 failures
#import <Foundation/Foundation.h>

/// A port number from text, or nil: nothing but digits, from 1 to 65535.
NSNumber *PortFromString(NSString *text)
{
    NSScanner *scanner = [NSScanner scannerWithString:text];
    int port = 0;
    if (![scanner scanInt:&port] || !scanner.isAtEnd || port < 1 || port > 65535) return nil;
    return @(port);
}

NSArray<NSString *> *PortTestFailures(void)
{
    NSArray *cases = @[ // name, input, expected (NSNull: must be refused)
        @[ @"smallest", @"1", @1 ],
        @[ @"largest", @"65535", @65535 ],
        @[ @"zero is no port", @"0", [NSNull null] ],
        @[ @"text after it", @"80x", [NSNull null] ],
        @[ @"empty", @"", [NSNull null] ],
    ];
    NSMutableArray *failures = [NSMutableArray array];
    for (NSArray *row in cases) {
        id got = PortFromString([row objectAtIndex:1]) ?: (id)[NSNull null];
        if (![got isEqual:[row lastObject]]) [failures addObject:[row firstObject]];
    }
    return failures;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        printf("%lu failures\n", (unsigned long)[PortTestFailures() count]);
    }
    return 0;
}
