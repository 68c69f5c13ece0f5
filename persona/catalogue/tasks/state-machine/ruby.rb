# snippet:doc https://docs.ruby-lang.org/en/3.4/Hash.html#method-i-fetch Hash#fetch
# snippet:needs Ruby 3.0
class Order
  TRANSITIONS = {
    cart:    { pay: :paid, cancel: :cancelled },
    paid:    { ship: :shipped, cancel: :cancelled },
    shipped: {},
    cancelled: {},
  }.freeze

  attr_reader :state

  def initialize = @state = :cart

  def fire(event)
    @state = TRANSITIONS.fetch(@state).fetch(event) do
      possible = TRANSITIONS[@state].keys
      raise ArgumentError, "an order that is #{@state} cannot #{event.inspect}; possible: #{possible}"
    end
  end
end
# snippet:usage
order = Order.new
p order.fire(:pay)
begin
  order.fire(:pay)
rescue ArgumentError => e
  puts e.message
end
# snippet:prints :paid
# snippet:prints an order that is paid cannot :pay; possible: [:ship, :cancel]
