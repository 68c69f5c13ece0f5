// snippet:doc https://developer.apple.com/documentation/foundation/nscalendar NSCalendar
// snippet:title Add working days to a date
// snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
// snippet:description not count.
// snippet:prints 5-4
#import <Foundation/Foundation.h>

/// The date that lies `count` working days after a date, which itself does not
/// count. The date and the holidays are at midnight of the same calendar.
NSDate *DateByAddingWorkdays(NSInteger count, NSDate *date, NSSet<NSDate *> *holidays,
                             NSCalendar *calendar)
{
    NSDateComponents *later = [[NSDateComponents alloc] init];
    NSDate *day = date;

    for (later.day = 1; count > 0; later.day++) {
        // Not 86400 seconds: a day with a time change is shorter or longer. And counted from the start:
        // a midnight that the clocks skip must not move the days after it.
        day = [calendar dateByAddingComponents:later toDate:date options:0];
        NSInteger weekday = [calendar components:NSCalendarUnitWeekday fromDate:day].weekday;
        BOOL weekend = weekday == 1 || weekday == 7; // Sunday is 1
        if (!weekend && ![holidays containsObject:day]) count--;
    }
    return day;
}
// snippet:check
int main(void)
{
    @autoreleasepool {
        NSCalendar *calendar = [[NSCalendar alloc] initWithCalendarIdentifier:NSCalendarIdentifierGregorian];
        calendar.timeZone = [NSTimeZone timeZoneForSecondsFromGMT:0];
        NSDate *(^day)(NSInteger, NSInteger) = ^NSDate *(NSInteger month, NSInteger dayOfMonth) {
            NSDateComponents *c = [[NSDateComponents alloc] init];
            c.year = 2026;
            c.month = month;
            c.day = dayOfMonth;
            return [calendar dateFromComponents:c];
        };
        NSDate *due = DateByAddingWorkdays(1, day(4, 30), [NSSet setWithObject:day(5, 1)], calendar);
        NSDateComponents *c = [calendar components:NSCalendarUnitMonth | NSCalendarUnitDay fromDate:due];
        printf("%ld-%ld\n", (long)c.month, (long)c.day);
    }
    return 0;
}
