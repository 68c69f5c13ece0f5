# snippet:doc https://guides.rubyonrails.org/active_job_basics.html#retrying-or-discarding-failed-jobs Retrying or discarding failed jobs
# snippet:about Ruby on Rails
# snippet:needs Rails 7.1
# snippet:check
require_relative "rails_app"
tables { create_table(:orders) { |t| t.datetime :receipt_sent_at } }
# snippet:prints sent 1
# snippet:prints retried 4 times, then told: gave up on order 2
# snippet:prints deleted order: discarded
# snippet:end
require "net/http"

class Order < ApplicationRecord # receipt_sent_at
end

class ReceiptJob < ApplicationJob
  RECEIPTS = URI("https://mail.example.com/receipts")
  queue_as :mail
  retry_on Timeout::Error, wait: :polynomially_longer, attempts: 5 do |job, error|
    Rails.error.report(error, context: { order: job.arguments.first.id })
  end
  discard_on ActiveJob::DeserializationError # the order was deleted, or loading it failed

  def perform(order)
    return if order.receipt_sent_at?

    headers = { "Content-Type" => "application/json", "Idempotency-Key" => "receipt-#{order.id}" }
    Net::HTTP.post(RECEIPTS, { order: order.id }.to_json, headers).value # raises unless it is 2xx
    order.update!(receipt_sent_at: Time.current)
  end
end
# snippet:check
module Mailbox
  class << self
    attr_accessor :down, :sent
    def post(_uri, _body, headers)
      raise Net::ReadTimeout if down

      @keys ||= []
      key = headers.fetch("Idempotency-Key")
      self.sent = sent.to_i + 1 unless @keys.include?(key)
      @keys << key
      Struct.new(:value).new(nil)
    end
  end
end
def (Net::HTTP).post(...) = Mailbox.post(...)
order = Order.create!
2.times { ReceiptJob.perform_now(order) }
order.update!(receipt_sent_at: nil) # as if the process had died before it was noted
ReceiptJob.perform_now(order)
puts "sent #{Mailbox.sent}"
told = []
Rails.error.subscribe(Class.new { define_method(:report) { |error, context:, **| told << "gave up on order #{context[:order]}" } }.new)
queue = ActiveJob::Base.queue_adapter
Mailbox.down = true
ReceiptJob.perform_later(Order.create!)
runs = 0
while (job = queue.enqueued_jobs.shift)
  runs += 1
  ActiveJob::Base.execute(job)
end
puts "retried #{runs - 1} times, then told: #{told.join}"
gone = Order.create!
ReceiptJob.perform_later(gone)
gone.destroy!
ActiveJob::Base.execute(queue.enqueued_jobs.shift)
puts "deleted order: discarded"
raise "was tried again" unless queue.enqueued_jobs.empty?
