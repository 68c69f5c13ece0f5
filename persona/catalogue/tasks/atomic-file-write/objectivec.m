// snippet:doc https://developer.apple.com/documentation/foundation/nsdata/writingoptions NSDataWritingOptions
// snippet:description Write settings as JSON in one step: `NSDataWritingAtomic` writes another file first and renames it, so
// snippet:description readers see the old content or the new. When the write fails, the old file stays as it was.
// snippet:prints 1 1
#import <Foundation/Foundation.h>

/// Replaces a settings file: readers see the old content or the new one. The
/// result says whether it worked; look at the error only when it did not.
BOOL SaveSettings(NSDictionary *settings, NSString *path, NSError **error)
{
    if (![NSJSONSerialization isValidJSONObject:settings]) {
        if (error) {
            *error = [NSError errorWithDomain:NSCocoaErrorDomain
                                         code:NSFormattingError
                                     userInfo:@{NSFilePathErrorKey : path}];
        }
        return NO;
    }
    NSData *data = [NSJSONSerialization dataWithJSONObject:settings options:0 error:error];
    return data && [data writeToFile:path options:NSDataWritingAtomic error:error];
}
// snippet:usage
int main(void)
{
    @autoreleasepool {
        NSString *path = @"settings.json";
        NSError *error = nil;
        BOOL saved = SaveSettings(@{@"volume" : @3}, path, &error) && SaveSettings(@{@"volume" : @4}, path, &error);
        NSString *text = [NSString stringWithContentsOfFile:path encoding:NSUTF8StringEncoding error:NULL];
        NSRange found = [text rangeOfString:@"4"];
        printf("%d %d\n", saved, found.location != NSNotFound);
    }
    return 0;
}
