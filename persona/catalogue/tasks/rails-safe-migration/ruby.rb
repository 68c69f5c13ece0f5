# snippet:doc https://guides.rubyonrails.org/active_record_migrations.html Active Record migrations
# snippet:about Ruby on Rails
# snippet:needs Rails 7.1, Ruby 3.0
# snippet:check
require_relative "rails_app"
tables { create_table(:orders) { |t| t.string :number } }
class Order < ApplicationRecord; end
5.times { |n| Order.create!(number: n) }
# snippet:prints before: 5 empty, after: 0 empty, new row: web
# snippet:prints NotNullViolation
# snippet:prints taken back: number
# snippet:end
class AddChannelToOrders < ActiveRecord::Migration[7.1]
  def change
    add_column :orders, :channel, :string
    change_column_default :orders, :channel, from: nil, to: "web" # for new rows only
  end
end

class BackfillChannelOfOrders < ActiveRecord::Migration[7.1]
  disable_ddl_transaction! # each batch commits by itself

  class Order < ActiveRecord::Base; end

  def up
    Order.where(channel: nil).in_batches(of: 1_000) do |batch|
      batch.update_all(channel: "web")
      sleep 0.01 # let others have their turn
    end
  end

  def down; end
end

class RequireChannelOfOrders < ActiveRecord::Migration[7.1]
  def change = change_column_null(:orders, :channel, false)
end
# snippet:check
steps = [AddChannelToOrders, BackfillChannelOfOrders, RequireChannelOfOrders]
AddChannelToOrders.migrate(:up)
Order.reset_column_information
Order.update_all(channel: nil) # as PostgreSQL and MySQL leave them with a default that came later
before = Order.where(channel: nil).count
steps.drop(1).each { |step| step.migrate(:up) }
Order.reset_column_information
puts "before: #{before} empty, after: #{Order.where(channel: nil).count} empty, new row: #{Order.create!.channel}"
begin
  Order.create!(channel: nil)
rescue ActiveRecord::NotNullViolation => error
  puts error.class.name.demodulize
end
steps.reverse_each { |step| step.migrate(:down) }
Order.reset_column_information
puts "taken back: #{(Order.column_names - ["id"]).join(" ")}"
