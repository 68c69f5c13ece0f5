# snippet:doc https://guides.rubyonrails.org/active_record_querying.html#eager-loading-associations Eager loading
# snippet:about Ruby on Rails
# snippet:check
require_relative "rails_app"
tables do
  create_table(:authors) { |t| t.string :name }
  create_table(:posts) { |t| t.references :author; t.string :title }
  create_table(:comments) { |t| t.references :post }
end
# snippet:prints Second by Grace, 0 comments
# snippet:prints First by Ada, 2 comments
# snippet:prints 2 queries
# snippet:prints ActiveRecord::StrictLoadingViolationError
# snippet:end
class Author < ApplicationRecord
  has_many :posts
end

class Comment < ApplicationRecord
  belongs_to :post
end

class Post < ApplicationRecord
  belongs_to :author
  has_many :comments

  COMMENT_COUNT = Arel.sql("(SELECT COUNT(*) FROM comments WHERE comments.post_id = posts.id)")

  scope :for_front_page, -> {
    select(arel_table[Arel.star], COMMENT_COUNT.as("comment_count"))
      .includes(:author)
      .strict_loading
      .order(id: :desc)
      .limit(20)
  }

  def self.front_page
    for_front_page.map { |post| "#{post.title} by #{post.author.name}, #{post.comment_count} comments" }
  end
end
# snippet:check
first = Post.create!(title: "First", author: Author.create!(name: "Ada"))
Post.create!(title: "Second", author: Author.create!(name: "Grace"))
2.times { first.comments.create! }
puts Post.front_page
puts "#{queries { Post.front_page }} queries"
begin
  Post.for_front_page.first.comments.to_a
rescue ActiveRecord::StrictLoadingViolationError => error
  puts error.class
end
