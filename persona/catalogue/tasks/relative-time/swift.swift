// snippet:doc https://developer.apple.com/documentation/foundation/relativedatetimeformatter RelativeDateTimeFormatter
// snippet:needs macOS 12, iOS 15
import Foundation

/// "3 minutes ago" in the language of the locale; "just now" comes from the catalogue of the application's texts.
func relativeTime(of then: Date, to now: Date = .now, locale: Locale = .current) -> String {
    guard abs(then.timeIntervalSince(now)) >= 60 else {
        return String(localized: "just now")
    }
    let formatter = RelativeDateTimeFormatter()
    formatter.locale = locale
    formatter.dateTimeStyle = .numeric // named, 47 hours ago would be yesterday
    formatter.unitsStyle = .full
    return formatter.localizedString(for: then, relativeTo: now)
}
