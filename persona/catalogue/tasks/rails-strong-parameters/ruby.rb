# snippet:doc https://guides.rubyonrails.org/action_controller_overview.html#strong-parameters Strong parameters
# snippet:into Put it into a Rails application, each class into a file of its own, with a table for its model, and resources :users, only: :create among its routes; requests carry its CSRF token.
# snippet:about Ruby on Rails
# snippet:needs Rails 7.1
# snippet:check
require_relative "rails_app"
tables do
  create_table(:users) { |t| t.string :name; t.string :email; t.boolean :admin, default: false }
end
# snippet:prints 201 ada@example.com admin: false
# snippet:prints 422 {"name":["can't be blank"],"email":["is invalid"]}
# snippet:prints 400
# snippet:prints 400
# snippet:prints 400
# snippet:prints 400
# snippet:prints 201 without the outer user, admin: false
# snippet:end
class User < ApplicationRecord
  normalizes :email, with: ->(email) { email.strip.downcase }
  validates :name, presence: true, length: { maximum: 80 }
  validates :email, format: { with: URI::MailTo::EMAIL_REGEXP }
end

class UsersController < ApplicationController
  def create
    user = User.new(user_params)
    if user.save
      render json: user.slice(:id, :name, :email), status: :created
    else
      render json: { errors: user.errors }, status: 422
    end
  end

  private

  # From Rails 8 on: params.expect(user: [:name, :email])
  def user_params
    user = params.require(:user)
    raise ActionController::BadRequest, "user is no object" unless user.respond_to?(:permit) # a text, or a list

    user.permit(:name, :email)
  end
end
# snippet:check
Rails.application.routes.draw { resources :users }
b = browser
b.post "/users", params: { user: { name: "Ada", email: " Ada@Example.com ", admin: true } }, as: :json
puts "#{b.response.status} #{b.response.parsed_body["email"]} admin: #{User.last.admin}"
b.post "/users", params: { user: { name: "", email: "ada" } }, as: :json
puts "#{b.response.status} #{b.response.parsed_body["errors"].to_json}"
b.post "/users", params: {}, as: :json
puts b.response.status
b.post "/users", params: { user: "ada" }, as: :json
puts b.response.status
b.post "/users", params: { user: [{ name: "Ada" }] }, as: :json
puts b.response.status
b.post "/users", params: { colour: "red" }, as: :json
puts b.response.status
b.post "/users", params: { name: "Bo", email: "bo@example.com", admin: true }, as: :json
puts "#{b.response.status} without the outer user, admin: #{User.last.admin}"
