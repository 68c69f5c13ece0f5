// snippet:doc https://developer.apple.com/documentation/foundation/nsnotificationcenter NSNotificationCenter
// snippet:prints Saved a.txt
#import <Foundation/Foundation.h>

NSString *const DocumentDidSaveNotification = @"DocumentDidSave";

/// Shows what was saved last. It never learns who saves, and who saves never
/// learns of it.
@interface StatusLine : NSObject
// snippet:check
{ NSString *_text; }
// snippet:end
@property (nonatomic, copy) NSString *text;
- (void)observe:(NSNotificationCenter *)center;
- (void)stopObserving:(NSNotificationCenter *)center;
@end

@implementation StatusLine
// snippet:check
@synthesize text = _text;
// snippet:end
- (void)observe:(NSNotificationCenter *)center {
    [center addObserver:self selector:@selector(documentDidSave:)
                   name:DocumentDidSaveNotification object:nil];
}
- (void)documentDidSave:(NSNotification *)notification {
    NSString *name = [notification.userInfo objectForKey:@"name"];
    self.text = [NSString stringWithFormat:@"Saved %@", name];
}
- (void)stopObserving:(NSNotificationCenter *)center {
    [center removeObserver:self];
}
@end
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSNotificationCenter *center = [NSNotificationCenter defaultCenter];
        StatusLine *line = [[StatusLine alloc] init];
        [line observe:center];
        [center postNotificationName:DocumentDidSaveNotification object:nil userInfo:@{@"name" : @"a.txt"}];
        [line stopObserving:center];
        [center postNotificationName:DocumentDidSaveNotification object:nil userInfo:@{@"name" : @"b.txt"}];
        puts([line.text UTF8String]);
    }
    return 0;
}
