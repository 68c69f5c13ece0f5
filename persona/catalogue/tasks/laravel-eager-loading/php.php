<?php
// snippet:doc https://laravel.com/docs/eloquent-relationships#eager-loading Eager loading
// snippet:about Laravel
// snippet:check
require 'laravel.php';
table('users', function ($t) { $t->id(); $t->string('name'); $t->timestamps(); });
table('posts', function ($t) { $t->id(); $t->foreignId('user_id'); $t->string('title'); $t->timestamps(); });
table('comments', function ($t) { $t->id(); $t->foreignId('post_id'); $t->string('text'); $t->timestamps(); });
// snippet:prints [{"title":"Second","author":"Grace","comments":0,"latest":null},{"title":"First","author":"Ada","comments":2,"latest":"Thanks"}]
// snippet:prints 3 queries
// snippet:prints Attempted to lazy load [author] on model [Post] but lazy loading is disabled.
// snippet:end
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\{BelongsTo, HasMany, HasOne};
use Illuminate\Support\Collection;

Model::preventLazyLoading(); // in a service provider: ! $this->app->isProduction()

class User extends Model {}
class Comment extends Model {}
class Post extends Model
{
    public function author(): BelongsTo { return $this->belongsTo(User::class, 'user_id'); }
    public function comments(): HasMany { return $this->hasMany(Comment::class); }
    public function latestComment(): HasOne { return $this->hasOne(Comment::class)->latestOfMany(); }
}

function latest_posts(int $count = 20): Collection
{
    return Post::query()
        ->with(['author:id,name', 'latestComment'])
        ->withCount('comments')
        ->latest('id')
        ->limit($count)
        ->get()
        ->map(fn (Post $post) => [
            'title' => $post->title,
            'author' => $post->author?->name,
            'comments' => $post->comments_count,
            'latest' => $post->latestComment?->text,
        ]);
}
// snippet:check
Model::unguard();
foreach (['Ada' => 'First', 'Grace' => 'Second'] as $name => $title) {
    Post::create(['user_id' => User::create(['name' => $name])->id, 'title' => $title]);
}
foreach (['Nice', 'Thanks'] as $text) {
    Comment::create(['post_id' => 1, 'text' => $text]);
}
echo latest_posts()->toJson(), "\n";
echo queries(fn () => latest_posts()), " queries\n";
try {
    Post::all()->each(fn (Post $post) => $post->author->name);
} catch (Illuminate\Database\LazyLoadingViolationException $error) {
    echo $error->getMessage(), "\n";
}
