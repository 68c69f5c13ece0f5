// snippet:why People explore when they can go back.
// snippet:description Undo takes back the newest change, and redo makes it again. What one event, a click or a key, has changed
// snippet:description is one step: the manager groups by the passes of the run loop. Something new ends the branch that was undone.
// snippet:title Undo and redo with NSUndoManager
// snippet:doc https://developer.apple.com/documentation/foundation/nsundomanager NSUndoManager
// snippet:needs ARC
// snippet:prints Draft
// snippet:prints Untitled
// snippet:prints Draft 1
#import <Foundation/Foundation.h>

/// A document that registers the opposite of each change. While the manager is
/// undoing, what is registered becomes the redo: one method does it all.
@interface Document : NSObject
// snippet:check
{ NSString *_title; NSUndoManager *_undoManager; }
// snippet:end
@property (nonatomic, copy) NSString *title;
@property (nonatomic, strong) NSUndoManager *undoManager;
@end

@implementation Document
// snippet:check
@synthesize title = _title, undoManager = _undoManager;
// snippet:end
- (void)renameTo:(NSString *)newTitle
{
    if ([newTitle isEqualToString:self.title]) return;

    [[self.undoManager prepareWithInvocationTarget:self] renameTo:self.title];
    [self.undoManager setActionName:@"Rename"];
    self.title = newTitle;
}

- (void)dealloc
{
    [_undoManager removeAllActionsWithTarget:self]; // it does not keep its targets alive
// snippet:check
    [super dealloc];
// snippet:end
}

@end
// snippet:check
int main(void)
{
    @autoreleasepool {
        Document *document = [[Document alloc] init];
        document.undoManager = [[NSUndoManager alloc] init];
        [document.undoManager setGroupsByEvent:NO];
        document.title = @"Untitled";
        for (NSString *title in @[ @"Draft", @"Final" ]) {
            [document.undoManager beginUndoGrouping];
            [document renameTo:title];
            [document.undoManager endUndoGrouping];
        }
        [document.undoManager undo];
        puts([document.title UTF8String]);
        [document.undoManager undo];
        puts([document.title UTF8String]);
        [document.undoManager redo];
        printf("%s %d\n", [document.title UTF8String], [document.undoManager canRedo]);
    }
    return 0;
}
