// snippet:doc https://developer.apple.com/documentation/foundation/nsdecimalnumber NSDecimalNumber
// snippet:title Add tax to a price exactly
// snippet:description Compute a price with tax in `NSDecimalNumber` and round it to cents once, at the end. Decimal numbers keep
// snippet:description 0.1 exact; a `double` does not.
// snippet:why Accountants find rounding errors.
// snippet:prints 23.79
// snippet:prints 0.3
#import <Foundation/Foundation.h>

/// A price with tax, rounded to cents once, halves away from zero. Decimal
/// numbers keep 0.1 exact; a double does not.
NSDecimalNumber *PriceWithTax(NSString *net, NSString *percent)
{
    NSDecimalNumberHandler *cents =
        [NSDecimalNumberHandler decimalNumberHandlerWithRoundingMode:NSRoundPlain
                                                               scale:2
                                                    raiseOnExactness:NO
                                                     raiseOnOverflow:YES
                                                    raiseOnUnderflow:YES
                                                 raiseOnDivideByZero:YES];
    NSDecimalNumber *price = [NSDecimalNumber decimalNumberWithString:net];
    NSDecimalNumber *rate = [NSDecimalNumber decimalNumberWithString:percent];
    NSDecimalNumber *hundred = [NSDecimalNumber decimalNumberWithString:@"100"];
    NSDecimalNumber *tax = [[price decimalNumberByMultiplyingBy:rate]
        decimalNumberByDividingBy:hundred];
    return [[price decimalNumberByAdding:tax] decimalNumberByRoundingAccordingToBehavior:cents];
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        puts([[PriceWithTax(@"19.99", @"19") stringValue] UTF8String]);
        NSDecimalNumber *a = [NSDecimalNumber decimalNumberWithString:@"0.1"], *b = [NSDecimalNumber decimalNumberWithString:@"0.2"];
        puts([[[a decimalNumberByAdding:b] stringValue] UTF8String]);
    }
    return 0;
}
