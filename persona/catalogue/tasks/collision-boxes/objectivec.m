// snippet:doc https://developer.apple.com/documentation/foundation/nsrect NSRect
// snippet:prints 0 0.5
// snippet:prints -3 0
// snippet:prints 0 0
#import <Foundation/Foundation.h>
#include <math.h>

/// The shortest move that takes a moving box out of a fixed one; NSZeroPoint
/// when they do not overlap. Boxes that only touch do not collide.
NSPoint PushOut(NSRect moving, NSRect fixed)
{
    if (!NSIntersectsRect(moving, fixed)) return NSZeroPoint;

    // To the side that is nearer: the size of the overlap would be too little
    // where one box lies inside the other.
    CGFloat left = NSMaxX(moving) - NSMinX(fixed), right = NSMaxX(fixed) - NSMinX(moving);
    CGFloat down = NSMaxY(moving) - NSMinY(fixed), up = NSMaxY(fixed) - NSMinY(moving);
    CGFloat dx = left < right ? -left : right;
    CGFloat dy = down < up ? -down : up;
    return fabs(dx) < fabs(dy) ? NSMakePoint(dx, 0) : NSMakePoint(0, dy);
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSPoint push = PushOut(NSMakeRect(1, 3.5, 2, 2), NSMakeRect(-7, 2, 20, 2));
        printf("%g %g\n", push.x, push.y);
        push = PushOut(NSMakeRect(2, 5, 1, 1), NSMakeRect(0, 0, 20, 20)); // inside
        printf("%g %g\n", push.x, push.y);
        push = PushOut(NSMakeRect(0, 0, 1, 1), NSMakeRect(1, 0, 1, 1)); // side by side
        printf("%g %g\n", push.x, push.y);
    }
    return 0;
}
