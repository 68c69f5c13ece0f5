// snippet:doc https://developer.apple.com/documentation/foundation/calendar Calendar
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
            day = tomorrow
            if isWorkday(day) { left -= 1 }
        }
        return day
    }
}
