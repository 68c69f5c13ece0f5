// snippet:doc https://developer.apple.com/documentation/foundation/nscharacterset NSCharacterSet
// snippet:prints 0 failures
#import <Foundation/Foundation.h>

/// A port number from text, or nil: nothing but digits, from 1 to 65535.
static NSNumber *PortFromString(NSString *text)
{
    NSCharacterSet *digits = [NSCharacterSet characterSetWithCharactersInString:@"0123456789"];
    NSUInteger other = [text rangeOfCharacterFromSet:[digits invertedSet]].location;
    long long port = [text longLongValue];
    return other == NSNotFound && port >= 1 && port <= 65535 ? @(port) : nil;
}

int main(void)
{
    @autoreleasepool {
        NSUInteger failures = 0;
        NSArray *cases = @[ // name, input, expected (NSNull: must be refused)
            @[ @"largest", @"65535", @65535 ],
            @[ @"zero is no port", @"0", [NSNull null] ],
            @[ @"text after it", @"80x", [NSNull null] ],
            @[ @"a sign", @"+80", [NSNull null] ],
            @[ @"empty", @"", [NSNull null] ],
        ];
        for (NSArray *row in cases) {
            id got = PortFromString([row objectAtIndex:1]) ?: (id)[NSNull null];
            if ([got isEqual:[row lastObject]]) continue;
            fprintf(stderr, "%s: %s\n", [[row firstObject] UTF8String], [[got description] UTF8String]);
            failures++;
        }
        printf("%lu failures\n", (unsigned long)failures);
        return failures ? EXIT_FAILURE : EXIT_SUCCESS;
    }
}
