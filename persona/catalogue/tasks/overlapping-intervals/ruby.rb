# snippet:doc https://docs.ruby-lang.org/en/master/Array.html Array
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
# snippet:usage
day = [["lunch", 12, 13], ["standup", 9, 10], ["interview", 9.5, 12.5], ["review", 13, 14]]
p conflicts(day.map { |booking| Booking.new(*booking) })
# snippet:prints [["standup", "interview"], ["interview", "lunch"]]
