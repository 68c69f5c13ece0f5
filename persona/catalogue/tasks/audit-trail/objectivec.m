// snippet:doc https://developer.apple.com/documentation/foundation/nsjsonserialization NSJSONSerialization
// snippet:prints 1 2 bo
#import <Foundation/Foundation.h>
#include <fcntl.h>
#include <unistd.h>

/// Adds one line of JSON to the end of a file: NO if it is not there as a whole
/// (on a full disk its beginning may be, and the next entry then follows on it).
/// JSON escapes line breaks, so a value can never pass for an entry of its own.
BOOL RecordChange(NSString *path, NSString *author, NSString *field, id was, id is, NSDate *now)
{
    NSDictionary *entry = @{
        @"time" : @(now.timeIntervalSince1970),
        @"author" : author,
        @"field" : field,
        @"was" : was ?: [NSNull null],
        @"is" : is ?: [NSNull null],
    };
    if (![NSJSONSerialization isValidJSONObject:entry]) return NO; // which would raise an exception
    NSData *json = [NSJSONSerialization dataWithJSONObject:entry options:0 error:NULL];
    if (!json) return NO;
    NSMutableData *line = [NSMutableData dataWithData:json];
    [line appendBytes:"\n" length:1];

    int trail = open(path.fileSystemRepresentation, O_WRONLY | O_APPEND | O_CREAT, 0640);
    if (trail < 0) return NO;
    BOOL written = write(trail, line.bytes, line.length) == (ssize_t)line.length && fsync(trail) == 0;
    return close(trail) == 0 && written;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSDate *now = [NSDate dateWithTimeIntervalSince1970:1767225600];
        BOOL ok = RecordChange(@"audit.log", @"ada", @"limit", @100, @200, now) && RecordChange(@"audit.log", @"bo", @"note", nil, @"a\nb", now);
        ok = ok && !RecordChange(@"no/audit.log", @"ada", @"limit", nil, nil, now);
        NSString *text = [NSString stringWithContentsOfFile:@"audit.log" encoding:NSUTF8StringEncoding error:NULL];
        NSArray *lines = [text componentsSeparatedByString:@"\n"];
        id last = [NSJSONSerialization JSONObjectWithData:[[lines objectAtIndex:1] dataUsingEncoding:NSUTF8StringEncoding] options:0 error:NULL];
        printf("%d %lu %s\n", ok, (unsigned long)lines.count - 1, [[last objectForKey:@"author"] UTF8String]);
    }
    return 0;
}
