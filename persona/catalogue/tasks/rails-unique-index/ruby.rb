# snippet:doc https://api.rubyonrails.org/classes/ActiveRecord/Relation.html#method-i-create_or_find_by create_or_find_by
# snippet:about Ruby on Rails
# snippet:needs Rails 7.1, Ruby 3.1
# snippet:check
require_relative "rails_app"
# snippet:prints same row: true, 1 in the table
# snippet:prints Email has already been taken
# snippet:prints RecordNotUnique
# snippet:prints RecordInvalid
# snippet:end
class CreateSubscribers < ActiveRecord::Migration[7.1]
  def change
    create_table :subscribers do |t|
      t.string :email, null: false, index: { unique: true }
      t.timestamps
    end
  end
end

class Subscriber < ApplicationRecord
  normalizes :email, with: ->(email) { email.strip.downcase } # also in find_by and where
  validates :email, presence: true
  validates :email, uniqueness: true, on: :form # only for its message

  def self.subscribe!(email)
    create_or_find_by!(email:)
  end
end
# snippet:check
CreateSubscribers.migrate(:up)
first = Subscriber.subscribe!("ada@example.com")
second = Subscriber.subscribe!(" Ada@Example.com")
puts "same row: #{first == second}, #{Subscriber.count} in the table"
form = Subscriber.new(email: "ADA@example.com")
form.valid?(:form)
puts form.errors.full_messages
begin
  Subscriber.insert!({ email: "ada@example.com" })
rescue ActiveRecord::RecordNotUnique => error
  puts error.class.name.demodulize
end
begin
  Subscriber.subscribe!("  ")
rescue ActiveRecord::RecordInvalid => error
  puts error.class.name.demodulize
end
