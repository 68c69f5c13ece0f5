// snippet:doc https://developer.apple.com/documentation/foundation/nsjsonserialization NSJSONSerialization
// snippet:prints a1 1
// snippet:prints id: expected a text
// snippet:prints quantity: no number
// snippet:prints quantity: no number
// snippet:prints expected an object
#import <Foundation/Foundation.h>

static NSString *const OrderErrorDomain = @"com.example.order";

/// An order with an id and a quantity (1 if missing), or nil and an error. The error
/// names a field of the wrong type: JSON from outside can hold any type anywhere.
NSDictionary *ParseOrder(NSData *data, NSError **error)
{
    id json = [NSJSONSerialization JSONObjectWithData:data options:0 error:error];
    if (!json) return nil;

    NSString *problem = nil;
    Class boolean = [[NSNumber numberWithBool:YES] class]; // a kind of NSNumber
    id identifier = nil, quantity = nil;
    if (![json isKindOfClass:[NSDictionary class]]) {
        problem = @"expected an object";
    } else {
        identifier = [json objectForKey:@"id"];
        quantity = [json objectForKey:@"quantity"] ?: @1;
        if (![identifier isKindOfClass:[NSString class]]) problem = @"id: expected a text";
        else if (![quantity isKindOfClass:[NSNumber class]] || [quantity isKindOfClass:boolean])
            problem = @"quantity: no number";
    }
    if (!problem) return @{@"id" : identifier, @"quantity" : quantity};
    if (error) {
        NSDictionary *info = @{NSLocalizedDescriptionKey : problem};
        *error = [NSError errorWithDomain:OrderErrorDomain code:1 userInfo:info];
    }
    return nil;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        for (NSString *text in @[ @"{\"id\": \"a1\"}", @"{\"quantity\": 2}", @"{\"id\": \"a\", \"quantity\": \"two\"}", @"{\"id\": \"a\", \"quantity\": true}", @"[]" ]) {
            NSError *error = nil;
            NSDictionary *order = ParseOrder([text dataUsingEncoding:NSUTF8StringEncoding], &error);
            if (order) printf("%s %d\n", [[order objectForKey:@"id"] UTF8String], [[order objectForKey:@"quantity"] intValue]);
            else puts([[error localizedDescription] UTF8String]);
        }
    }
    return 0;
}
