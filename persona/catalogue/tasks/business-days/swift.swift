// snippet:doc https://developer.apple.com/documentation/foundation/calendar Calendar
// snippet:title Add working days to a date
// snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
// snippet:description not count; the calendar knows which days are a weekend in its country.
// snippet:prints 2025-04-25 2025-03-31 2025-04-16
// snippet:prints false false true
import Foundation

struct WorkCalendar {
    private let calendar: Calendar
    private let holidays: Set<Date>

    init(calendar: Calendar = .current, holidays: [Date]) {
        self.calendar = calendar
        self.holidays = Set(holidays.map(calendar.startOfDay(for:)))
    }

    func isWorkday(_ day: Date) -> Bool {
        !calendar.isDateInWeekend(day) && !holidays.contains(calendar.startOfDay(for: day))
    }

    /// The date that lies so many working days after another; the calendar knows which days are a
    /// weekend in this country, and that a day may have 23 or 25 hours.
    func date(_ days: Int, workdaysAfter start: Date) -> Date? {
        var day = calendar.startOfDay(for: start)
        var left = days
        while left > 0 {
            guard let tomorrow = calendar.date(byAdding: .day, value: 1, to: day) else { return nil }
            day = calendar.startOfDay(for: tomorrow) // later than midnight where the clocks skip it
            if isWorkday(day) { left -= 1 }
        }
        return day
    }
}

// snippet:check
var berlin = Calendar(identifier: .gregorian)
berlin.timeZone = TimeZone(identifier: "Europe/Berlin")!
berlin.locale = Locale(identifier: "de_DE")
@MainActor func day(_ month: Int, _ day: Int, hour: Int = 0) -> Date {
    berlin.date(from: DateComponents(year: 2025, month: month, day: day, hour: hour))!
}
@MainActor func text(_ date: Date?) -> String {
    guard let date else { return "nil" }
    let parts = berlin.dateComponents([.year, .month, .day, .hour], from: date)
    precondition(parts.hour == 0, "not the start of a day")
    return String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
}
let work = WorkCalendar(calendar: berlin, holidays: [day(4, 18, hour: 9), day(4, 21)])
print(
    text(work.date(5, workdaysAfter: day(4, 16, hour: 17))), // over Easter
    text(work.date(1, workdaysAfter: day(3, 28))), // over a day of 23 hours
    text(work.date(0, workdaysAfter: day(4, 16)))
)
print(work.isWorkday(day(4, 21, hour: 12)), work.isWorkday(day(4, 19)), work.isWorkday(day(4, 22)))
