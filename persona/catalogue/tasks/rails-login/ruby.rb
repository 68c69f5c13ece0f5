# snippet:doc https://api.rubyonrails.org/classes/ActiveRecord/SecurePassword/ClassMethods.html#method-i-authenticate_by authenticate_by
# snippet:into Put it into a Rails application, each class into a file of its own, with the gem bcrypt and a table for its model, and resource :session, only: [:create, :destroy] among its routes; requests carry its CSRF token.
# snippet:about Ruby on Rails
# snippet:needs Rails 7.2
# snippet:check
require_relative "rails_app"
tables { create_table(:users) { |t| t.string :email; t.string :password_digest } }
# snippet:prints unknown address 401, wrong password 401
# snippet:prints signed in 201, another session: true
# snippet:prints after ten tries 429
# snippet:prints time for an unknown address: as for a wrong password
# snippet:measures that an unknown address takes as long as a wrong password
# snippet:end
class User < ApplicationRecord
  has_secure_password
  normalizes :email, with: ->(email) { email.strip.downcase }
end

class SessionsController < ApplicationController
  rate_limit to: 10, within: 3.minutes, only: :create

  def create
    user = User.authenticate_by(email: params[:email].to_s, password: params[:password].to_s)
    return render(json: { error: "unknown address or wrong password" }, status: :unauthorized) unless user

    reset_session
    session[:user_id] = user.id
    head :created
  end

  def destroy
    reset_session
    head :no_content
  end
end
# snippet:check
Rails.application.routes.draw do
  resource :session
  get "peek", to: ->(env) { [200, {}, [env["rack.session"].id.to_s]] }
end
User.create!(email: "ada@example.com", password: "analytical engine")
b = browser
status = ->(email, password) { b.post "/session", params: { email:, password: }; b.response.status }
puts "unknown address #{status["eve@example.com", "x"]}, wrong password #{status["ada@example.com", "x"]}"
old = b.cookies.to_hash.values
puts "signed in #{status["Ada@Example.com", "analytical engine"]}, another session: #{b.cookies.to_hash.values != old}"
7.times { status["ada@example.com", "x"] }
puts "after ten tries #{status["ada@example.com", "analytical engine"]}"
ActiveModel::SecurePassword.min_cost = false # as in production
User.create!(email: "grace@example.com", password: "a nanosecond of wire")
time = lambda do |email|
  Array.new(2) { start = Process.clock_gettime(Process::CLOCK_MONOTONIC); User.authenticate_by(email:, password: "x"); Process.clock_gettime(Process::CLOCK_MONOTONIC) - start }.min
end
ratio = time["eve@example.com"] / time["grace@example.com"]
puts "time for an unknown address: #{ratio.between?(0.5, 2) ? "as for a wrong password" : ratio}"
