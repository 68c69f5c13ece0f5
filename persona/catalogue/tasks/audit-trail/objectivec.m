// snippet:doc https://developer.apple.com/documentation/foundation/nsfilehandle NSFileHandle
// snippet:prints 1 2 bo
#import <Foundation/Foundation.h>

/// Adds one line of JSON to a file that is only ever added to. JSON escapes
/// line breaks, so a value can never pass for an entry of its own.
BOOL RecordChange(NSString *path, NSString *author, NSString *field, id was, id is, NSDate *now)
{
    NSDictionary *entry = @{
        @"time" : @(now.timeIntervalSince1970),
        @"author" : author,
        @"field" : field,
        @"was" : was ?: [NSNull null],
        @"is" : is ?: [NSNull null],
    };
    NSData *json = [NSJSONSerialization dataWithJSONObject:entry options:0 error:NULL];
    if (!json) return NO;
    NSMutableData *line = [NSMutableData dataWithData:json];
    [line appendBytes:"\n" length:1];

    NSFileManager *files = [NSFileManager defaultManager];
    if (![files fileExistsAtPath:path]) [files createFileAtPath:path contents:nil attributes:nil];
    NSFileHandle *trail = [NSFileHandle fileHandleForWritingAtPath:path];
    [trail seekToEndOfFile];
    [trail writeData:line];
    [trail synchronizeFile];
    [trail closeFile];
    return trail != nil;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSDate *now = [NSDate dateWithTimeIntervalSince1970:1767225600];
        BOOL ok = RecordChange(@"audit.log", @"ada", @"limit", @100, @200, now) && RecordChange(@"audit.log", @"bo", @"note", nil, @"a\nb", now);
        NSString *text = [NSString stringWithContentsOfFile:@"audit.log" encoding:NSUTF8StringEncoding error:NULL];
        NSArray *lines = [text componentsSeparatedByString:@"\n"];
        id last = [NSJSONSerialization JSONObjectWithData:[[lines objectAtIndex:1] dataUsingEncoding:NSUTF8StringEncoding] options:0 error:NULL];
        printf("%d %lu %s\n", ok, (unsigned long)lines.count - 1, [[last objectForKey:@"author"] UTF8String]);
    }
    return 0;
}
