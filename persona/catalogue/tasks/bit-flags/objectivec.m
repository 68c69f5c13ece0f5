// snippet:doc https://developer.apple.com/documentation/swift/grouping-related-objective-c-constants NS_OPTIONS
// snippet:description Declare options with `NS_OPTIONS`, set or clear some and leave the others as they are. A second function
// snippet:description names those that are set.
// snippet:why Several options travel as one number, and each has a name.
// snippet:title Options in the bits of a number
// snippet:prints bold, italic, underline
// snippet:prints italic
// snippet:prints plain
#import <Foundation/Foundation.h>

typedef NS_OPTIONS(NSUInteger, TextStyle) {
    TextStylePlain = 0,
    TextStyleBold = 1 << 0,
    TextStyleItalic = 1 << 1,
    TextStyleUnderline = 1 << 2,
};

/// Sets or clears flags and leaves the others as they are.
static inline TextStyle TextStyleSetting(TextStyle style, TextStyle flags, BOOL on)
{
    return on ? style | flags : style & ~flags;
}

NSString *TextStyleName(TextStyle style)
{
    NSMutableArray *names = [NSMutableArray array];
    if (style & TextStyleBold) [names addObject:@"bold"];
    if (style & TextStyleItalic) [names addObject:@"italic"];
    if (style & TextStyleUnderline) [names addObject:@"underline"];
    return names.count ? [names componentsJoinedByString:@", "] : @"plain";
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        TextStyle style = TextStyleSetting(TextStyleBold | TextStyleItalic, TextStyleUnderline, YES);
        puts([TextStyleName(style) UTF8String]);
        puts([TextStyleName(TextStyleSetting(style, TextStyleBold | TextStyleUnderline, NO)) UTF8String]);
        puts([TextStyleName(TextStylePlain) UTF8String]);
    }
    return 0;
}
