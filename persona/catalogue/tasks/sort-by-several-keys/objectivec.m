// snippet:doc https://developer.apple.com/documentation/foundation/nssortdescriptor NSSortDescriptor
// snippet:prints Cy Ann bo
#import <Foundation/Foundation.h>

/// Best score first, then the name without regard to case. Descriptors are
/// data: a table view can change them when a person clicks a column.
NSArray<NSDictionary *> *RankedPlayers(NSArray<NSDictionary *> *players)
{
    NSSortDescriptor *byScore = [NSSortDescriptor sortDescriptorWithKey:@"score" ascending:NO];
    NSSortDescriptor *byName =
        [NSSortDescriptor sortDescriptorWithKey:@"name"
                                      ascending:YES
                                       selector:@selector(caseInsensitiveCompare:)];
    return [players sortedArrayUsingDescriptors:@[ byScore, byName ]];
}
// snippet:usage
int main(void)
{
    @autoreleasepool {
        NSArray *players = @[
            @{@"name" : @"bo", @"score" : @10}, @{@"name" : @"Ann", @"score" : @10}, @{@"name" : @"Cy", @"score" : @12}
        ];
        puts([[[RankedPlayers(players) valueForKey:@"name"] componentsJoinedByString:@" "] UTF8String]);
    }
    return 0;
}
