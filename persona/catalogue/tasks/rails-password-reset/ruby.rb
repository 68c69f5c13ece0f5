# snippet:doc https://api.rubyonrails.org/classes/ActiveRecord/TokenFor/ClassMethods.html#method-i-generates_token_for generates_token_for
# snippet:into Put it into a Rails application, each class into a file of its own, with the gem bcrypt and a table for its model, and resource :password, only: [:create, :update] among its routes; the page that the link opens is yours, and requests carry its CSRF token.
# snippet:about Ruby on Rails
# snippet:needs Rails 7.1, Ruby 3.1
# snippet:check
require_relative "rails_app"
tables { create_table(:users) { |t| t.string :email; t.string :password_digest } }
class ApplicationMailer < ActionMailer::Base
  default from: "shop@example.com"
end
# snippet:prints known 202, unknown 202
# snippet:prints empty: 422
# snippet:prints used: 204, used again: 404
# snippet:prints too late: 404, changed: 404
# snippet:measures that a link works once, in time and unchanged
# snippet:end
class User < ApplicationRecord
  has_secure_password
  validates :password, length: { minimum: 12 }, allow_nil: true

  generates_token_for :password_reset, expires_in: 15.minutes do
    password_salt&.last(10) # changes with the password
  end
end

class PasswordMailer < ApplicationMailer
  def reset(user)
    token = user.generate_token_for(:password_reset) # here, so that the queue does not hold it
    mail to: user.email, subject: "Your new password", body: "https://example.com/password/edit?#{{ token: }.to_query}"
  end
end

class PasswordsController < ApplicationController
  def create
    user = User.find_by(email: params[:email].to_s)
    PasswordMailer.reset(user).deliver_later if user
    head :accepted # also for an unknown address
  end

  def update
    user = User.find_by_token_for(:password_reset, params[:token].to_s) or return head(:not_found)
    head user.update(password: params[:password].to_s.presence) ? 204 : 422
  end
end
# snippet:check
ActiveJob::Base.queue_adapter = :inline
Rails.application.routes.draw { resource :password }
User.create!(email: "ada@example.com", password: "analytical engine")
b = browser
b.post "/password", params: { email: "ada@example.com" }
known = b.response.status
b.post "/password", params: { email: "eve@example.com" }
puts "known #{known}, unknown #{b.response.status}"
mailed = -> { URI.decode_www_form_component(ActionMailer::Base.deliveries.last.body.to_s[/token=(\S+)/, 1]) }
set = ->(token, password = "difference engine") { b.patch "/password", params: { token:, password: }; b.response.status }
puts "empty: #{set[mailed[], ""]}"
puts "used: #{set[mailed[]]}, used again: #{set[mailed[]]}"
b.post "/password", params: { email: "ada@example.com" }
changed = set[mailed[].sub(/\A..../) { |start| start.swapcase }]
travel 16.minutes
puts "too late: #{set[mailed[]]}, changed: #{changed}"
