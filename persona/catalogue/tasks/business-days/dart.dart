// snippet:doc https://api.dart.dev/dart-core/DateTime-class.html DateTime
// snippet:title Add working days to a date
// snippet:description Find the date that lies a number of working days, zero or more, after another one. Weekends and the holidays of a list do
// snippet:description not count.
// snippet:prints 2025-04-25 00:00:00.000Z
// snippet:prints 2025-03-31 00:00:00.000Z false true
/// Working days of a team: Monday to Friday, without its holidays.
class WorkCalendar {
  WorkCalendar({Iterable<DateTime> holidays = const []}) : _free = holidays.map(_date).toSet();

  final Set<DateTime> _free;

  // In UTC every day has 24 hours: a change of the clocks cannot skip or repeat a date.
  static DateTime _date(DateTime t) => DateTime.utc(t.year, t.month, t.day);

  bool isWorkday(DateTime day) => day.weekday <= DateTime.friday && !_free.contains(_date(day));

  /// The date that lies [days] working days after [start].
  DateTime add(DateTime start, int days) {
    var day = _date(start);
    while (days > 0) {
      day = day.add(const Duration(days: 1));
      if (isWorkday(day)) days--;
    }
    return day;
  }
}

void main() {
  final calendar = WorkCalendar(holidays: [DateTime(2025, 4, 18), DateTime(2025, 4, 21)]);
  print(calendar.add(DateTime(2025, 4, 16), 5)); // 2025-04-25 00:00:00.000Z
  // snippet:check
  print('${calendar.add(DateTime(2025, 3, 28, 23), 1)} ${calendar.isWorkday(DateTime(2025, 4, 21, 12))} ${calendar.isWorkday(DateTime(2025, 4, 22))}');
  // snippet:end
}
