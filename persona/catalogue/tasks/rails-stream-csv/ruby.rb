# snippet:doc https://api.rubyonrails.org/classes/ActiveRecord/Batches.html#method-i-find_each find_each
# snippet:needs Ruby 3.0
# snippet:into Put it into a Rails application, each class into a file of its own, with a table for its model, and get "orders/export", to: "orders#export" among its routes.
# snippet:about Ruby on Rails
# snippet:check
require_relative "rails_app"
tables { create_table(:orders) { |t| t.string :customer; t.integer :cents; t.date :placed_on } }
# snippet:prints text/csv; charset=utf-8
# snippet:prints id,placed_on,customer,total
# snippet:prints 1,2026-03-01,"Lovelace, Ada",12.05
# snippet:prints 2,2026-03-02,'=cmd(),-0.50
# snippet:prints attachment; filename="orders-2026-03-02.csv"
# snippet:end
require "csv" # from Ruby 3.4 on a gem for the Gemfile

class Order < ApplicationRecord # customer, cents, placed_on
end

class OrdersController < ApplicationController
  def export
    headers["Content-Type"] = "text/csv; charset=utf-8"
    headers["Content-Disposition"] = %(attachment; filename="orders-#{Date.current}.csv")
    headers["Last-Modified"] = Time.current.httpdate # Rack::ETag would collect the whole body
    self.response_body = csv_lines(Order.all)
  end

  private

  def csv_lines(orders)
    Enumerator.new do |out|
      out << %w[id placed_on customer total].to_csv
      orders.find_each do |order|
        total = order.cents.to_d / 100
        out << [order.id, order.placed_on, text(order.customer), format("%.2f", total)].to_csv
      end
    end
  end

  def text(value) = value.to_s.match?(/\A\s*[=+\-@\t\r＝＋－＠]/) ? "'#{value}" : value
end
# snippet:check
Rails.application.routes.draw { get "orders/export", to: "orders#export" }
Order.create!(customer: "Lovelace, Ada", cents: 1205, placed_on: "2026-03-01")
Order.create!(customer: "=cmd()", cents: -50, placed_on: "2026-03-02")
travel_to Time.utc(2026, 3, 2, 12)
b = browser
b.get "/orders/export"
puts b.response.headers["Content-Type"], b.response.body, b.response.headers["Content-Disposition"][/[^;]*; filename="[^"]*"/]
