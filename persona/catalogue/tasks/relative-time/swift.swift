// snippet:doc https://developer.apple.com/documentation/foundation/relativedatetimeformatter RelativeDateTimeFormatter
import Foundation

/// "3 minutes ago", in the language of the person who reads it.
func relativeTime(of then: Date, to now: Date = .now, locale: Locale = .current) -> String {
    guard abs(then.timeIntervalSince(now)) >= 60 else {
        return String(localized: "just now")
    }
    let formatter = RelativeDateTimeFormatter()
    formatter.locale = locale
    formatter.dateTimeStyle = .named // "yesterday" where there is such a word
    formatter.unitsStyle = .full
    return formatter.localizedString(for: then, relativeTo: now)
}
