# snippet:check
# snippet:doc https://docs.ruby-lang.org/en/master/Array.html Array
# snippet:prints [["standup", "interview"], ["interview", "lunch"]]
# snippet:end
Booking = Struct.new(:name, :from, :to) # the end is exclusive: who leaves at ten does not meet who comes at ten

# Pairs of bookings that overlap. Sorted by start, each new one can only meet those that are still open.
def conflicts(bookings)
  open = []
  bookings.sort_by(&:from).each_with_object([]) do |booking, found|
    open.reject! { |earlier| earlier.to <= booking.from }
    found.concat(open.map { |earlier| [earlier.name, booking.name] })
    open << booking
  end
end
# snippet:check
day = [Booking.new("lunch", 12, 13), Booking.new("standup", 9, 10), Booking.new("interview", 9.5, 12.5), Booking.new("review", 13, 14)]
p conflicts(day)
