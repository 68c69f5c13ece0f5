# snippet:doc https://guides.rubyonrails.org/active_job_basics.html#retrying-or-discarding-failed-jobs Retrying or discarding failed jobs
# snippet:about Ruby on Rails
# snippet:check
require_relative "rails_app"
tables { create_table(:orders) { |t| t.datetime :receipt_sent_at } }
class Order < ApplicationRecord; end
module Mailbox
  class Timeout < StandardError; end
  class << self
    attr_accessor :down, :sent
    def deliver(_order, idempotency_key:)
      raise Timeout, "no answer" if down

      @keys ||= []
      return if @keys.include?(idempotency_key)

      @keys << idempotency_key
      self.sent = sent.to_i + 1
    end
  end
end
# snippet:prints sent 1
# snippet:prints retried 4 times, then told: gave up on order 2
# snippet:prints deleted order: discarded
# snippet:end
class ReceiptJob < ApplicationJob
  queue_as :mail
  retry_on Mailbox::Timeout, wait: :polynomially_longer, attempts: 5 do |job, error|
    Rails.error.report(error, context: { order: job.arguments.first.id })
  end
  discard_on ActiveJob::DeserializationError # the order was deleted

  def perform(order)
    return if order.receipt_sent_at?

    Mailbox.deliver(order, idempotency_key: "receipt-#{order.id}") # by which the service knows a repetition
    order.update!(receipt_sent_at: Time.current)
  end
end
# snippet:check
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
