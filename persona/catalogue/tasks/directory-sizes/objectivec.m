// snippet:doc https://developer.apple.com/documentation/foundation/filemanager NSFileManager
// snippet:title The size of a folder
// snippet:description Add up the bytes of the regular files below a folder, as far as it may be read. Links in it are not followed, and -1 says that there
// snippet:description is no such folder.
// snippet:why It tells what a folder holds before the disk is full.
// snippet:prints 12 -1
#import <Foundation/Foundation.h>

/// Bytes of the regular files below a folder, or -1 if it is no folder.
/// Symbolic links in it are not followed.
long long FolderSize(NSString *folder)
{
    NSFileManager *files = [NSFileManager defaultManager];
    BOOL isFolder = NO;
    if (![files fileExistsAtPath:folder isDirectory:&isFolder] || !isFolder) return -1;

    NSDirectoryEnumerator *entries = [files enumeratorAtPath:folder];
    long long total = 0;
    for (NSString *path; (path = [entries nextObject]);) {
        NSDictionary *attributes = [entries fileAttributes];
        if ([[attributes fileType] isEqualToString:NSFileTypeRegular]) {
            total += (long long)[attributes fileSize];
        }
    }
    return total;
}
// snippet:usage
int main(void)
{
    @autoreleasepool {
        NSFileManager *files = [NSFileManager defaultManager];
        [files createDirectoryAtPath:@"work/logs" withIntermediateDirectories:YES attributes:nil error:NULL];
        [@"0123456789" writeToFile:@"work/logs/a" atomically:NO encoding:NSUTF8StringEncoding error:NULL];
        [@"hi" writeToFile:@"work/readme" atomically:NO encoding:NSUTF8StringEncoding error:NULL];
        printf("%lld %lld\n", FolderSize(@"work"), FolderSize(@"no-such"));
    }
    return 0;
}
