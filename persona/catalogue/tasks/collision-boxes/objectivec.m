// snippet:doc https://developer.apple.com/documentation/foundation/nsrect NSRect
// snippet:prints 0 0.5
// snippet:prints 2 0
#import <Foundation/Foundation.h>
#include <math.h>

/// The shortest move that takes a moving box out of a fixed one; NSZeroPoint
/// when they do not overlap. Boxes that only touch do not collide.
NSPoint PushOut(NSRect moving, NSRect fixed)
{
    NSRect overlap = NSIntersectionRect(moving, fixed);
    if (NSIsEmptyRect(overlap)) return NSZeroPoint;

    if (NSWidth(overlap) < NSHeight(overlap)) {
        CGFloat side = NSMidX(moving) < NSMidX(fixed) ? -1 : 1;
        return NSMakePoint(side * NSWidth(overlap), 0);
    }
    CGFloat side = NSMidY(moving) < NSMidY(fixed) ? -1 : 1;
    return NSMakePoint(0, side * NSHeight(overlap));
}

/// Which of the boxes were hit by a click, topmost (last) first.
NSArray<NSValue *> *BoxesAtPoint(NSArray<NSValue *> *boxes, NSPoint point)
{
    NSMutableArray *hits = [NSMutableArray array];
    for (NSValue *box in [boxes reverseObjectEnumerator]) {
        if (NSPointInRect(point, box.rectValue)) [hits addObject:box];
    }
    return hits;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSPoint push = PushOut(NSMakeRect(1, 3.5, 2, 2), NSMakeRect(-7, 2, 20, 2));
        printf("%g %g\n", push.x, push.y);
        NSArray *boxes = @[ [NSValue valueWithRect:NSMakeRect(0, 0, 4, 4)], [NSValue valueWithRect:NSMakeRect(2, 2, 4, 4)] ];
        printf("%lu %lu\n", (unsigned long)[BoxesAtPoint(boxes, NSMakePoint(3, 3)) count], (unsigned long)[BoxesAtPoint(boxes, NSMakePoint(9, 9)) count]);
    }
    return 0;
}
