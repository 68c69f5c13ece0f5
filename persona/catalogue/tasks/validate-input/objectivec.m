// snippet:doc https://developer.apple.com/documentation/foundation/nspredicate NSPredicate
// snippet:why Messages in words that say what to do, all at once.
// snippet:prints Please tell us your name.
// snippet:prints Use at least 12 characters.
// snippet:prints 0
#import <Foundation/Foundation.h>

/// One message per broken rule, in the order of the form.
NSArray<NSString *> *FormProblems(NSDictionary<NSString *, NSString *> *form)
{
    NSArray *rules = @[ // field, condition, message
        @[ @"name", @"SELF.length > 0", @"Please tell us your name." ],
        @[ @"email", @"SELF CONTAINS '@'", @"Write it like ada@example.com." ],
        @[ @"password", @"SELF.length >= 12", @"Use at least 12 characters." ],
    ];
    NSCharacterSet *space = [NSCharacterSet whitespaceAndNewlineCharacterSet];
    NSMutableArray *problems = [NSMutableArray array];

    for (NSArray *rule in rules) {
        NSString *field = [form objectForKey:[rule objectAtIndex:0]] ?: @"";
        NSString *value = [field stringByTrimmingCharactersInSet:space];
        NSPredicate *condition = [NSPredicate predicateWithFormat:[rule objectAtIndex:1]];
        if (![condition evaluateWithObject:value]) [problems addObject:[rule objectAtIndex:2]];
    }
    return problems;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSDictionary *form = @{@"name" : @"  ", @"email" : @"ada@example.com", @"password" : @"short"};
        for (NSString *problem in FormProblems(form)) puts([problem UTF8String]);
        printf("%lu\n", (unsigned long)[FormProblems(@{@"name" : @"Ada", @"email" : @"ada@example.com", @"password" : @"correct horse battery"}) count]);
    }
    return 0;
}
