# snippet:doc https://guides.rubyonrails.org/active_record_querying.html#pessimistic-locking Pessimistic locking
# snippet:about Ruby on Rails
# snippet:check
require_relative "rails_app"
tables { create_table(:accounts) { |t| t.integer :cents, null: false } }
# snippet:prints 700 300
# snippet:prints InsufficientFunds: account 1 has 700, needs 701
# snippet:prints ArgumentError: cents must be positive: -5
# snippet:prints RecordNotFound: an account is missing
# snippet:prints 700 300
# snippet:end
class InsufficientFunds < StandardError; end

class Account < ApplicationRecord
  validates :cents, numericality: { only_integer: true, greater_than_or_equal_to: 0 }

  def self.transfer(cents, from:, to:) # from and to: ids, as integers
    raise ArgumentError, "cents must be positive: #{cents}" unless cents.positive?
    raise ArgumentError, "from and to are the same account" if from == to

    transaction do
      accounts = where(id: [from, to]).order(:id).lock.index_by(&:id) # SELECT ... FOR UPDATE
      raise ActiveRecord::RecordNotFound, "an account is missing" if accounts.size < 2

      source, target = accounts.values_at(from, to)
      raise InsufficientFunds, "account #{from} has #{source.cents}, needs #{cents}" if source.cents < cents

      source.update!(cents: source.cents - cents)
      target.update!(cents: target.cents + cents)
    end
  end
end
# snippet:check
[1000, 0].each { |cents| Account.create!(cents:) }
Account.transfer(300, from: 1, to: 2)
puts Account.order(:id).pluck(:cents).join(" ")
[[701, 2], [-5, 2], [5, 9]].each do |cents, to|
  Account.transfer(cents, from: 1, to:)
rescue StandardError => error
  puts "#{error.class.name.demodulize}: #{error.message}"
end
puts Account.order(:id).pluck(:cents).join(" ")
