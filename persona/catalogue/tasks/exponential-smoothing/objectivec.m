// snippet:doc https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/ProgrammingWithObjectiveC/EncapsulatingData/EncapsulatingData.html Properties
// snippet:description Smooth finite sensor readings with an exponential moving average, and tell when the value has moved
// snippet:description by more than a threshold since it was last told; the first reading is always told. The
// snippet:description weight says how much a new reading counts.
// snippet:prints 20.00! 20.20 24.10! 22.05! 21.02!
#import <Foundation/Foundation.h>

/// Follows sensor readings with an exponential moving average and tells when
/// the value has moved by more than a threshold since it was last told.
@interface SmoothedSensor : NSObject {
    double _value, _reported;
    BOOL _started;
}
- (BOOL)addReading:(double)reading weight:(double)alpha threshold:(double)threshold;
@property (nonatomic, readonly) double value;
@end

@implementation SmoothedSensor
// snippet:check
@synthesize value = _value;
// snippet:end
- (BOOL)addReading:(double)reading weight:(double)alpha threshold:(double)threshold
{
    _value = _started ? _value + alpha * (reading - _value) : reading;
    BOOL moved = !_started || fabs(_value - _reported) > threshold;
    _started = YES;
    if (moved) _reported = _value;
    return moved;
}

@end
// snippet:check
int main(void)
{
    @autoreleasepool {
        SmoothedSensor *sensor = [[SmoothedSensor alloc] init];
        for (NSNumber *reading in @[ @20, @20.4, @28, @20, @20 ]) {
            BOOL moved = [sensor addReading:reading.doubleValue weight:0.5 threshold:1];
            printf("%.2f%s ", sensor.value, moved ? "!" : "");
        }
        puts("");
    }
    return 0;
}
