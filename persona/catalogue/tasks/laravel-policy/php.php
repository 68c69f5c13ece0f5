<?php
// snippet:doc https://laravel.com/docs/authorization#creating-policies Authorization: policies
// snippet:about Laravel
// snippet:needs Laravel 10
// snippet:check
require 'laravel.php';
table('users', function ($t) { $t->id(); $t->string('name'); $t->timestamps(); });
table('documents', function ($t) { $t->id(); $t->foreignId('user_id')->nullable(); $t->string('title'); $t->timestamps(); });
// snippet:prints owner 200, stranger 404, nobody 404, no such id 404
// snippet:prints same answer
// snippet:prints of nobody, asked by nobody: 404
// snippet:prints New title
// snippet:measures who may change a document
// snippet:end
use Illuminate\Auth\Access\Response;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Foundation\Auth\User; // or your own: App\Models\User
use Illuminate\Http\Request;
use Illuminate\Routing\Middleware\SubstituteBindings;
use Illuminate\Support\Facades\{Gate, Route};

class Document extends Model
{
    protected $fillable = ['title'];
}

class DocumentPolicy
{
    public function update(?User $user, Document $document): Response
    {
        $owner = $user !== null && $user->id === $document->user_id; // null === null is no owner
        return $owner ? Response::allow() : Response::denyAsNotFound();
    }
}

Gate::policy(Document::class, DocumentPolicy::class); // in a service provider

Route::put('/documents/{document}', function (Request $request, Document $document) {
    $document->update($request->validate(['title' => ['required', 'string', 'max:200']]));
    return $document->only('id', 'title');
})->middleware([SubstituteBindings::class, 'can:update,document']) // the groups web and api have the first one
    ->missing(fn () => abort(404, 'Not Found')); // or the message would tell an id that is not there from one that is
// snippet:check
$ada = User::forceCreate(['name' => 'Ada']);
$eve = User::forceCreate(['name' => 'Eve']);
$document = Document::forceCreate(['user_id' => $ada->id, 'title' => 'Old title']);
$status = fn (?User $user, int $id, string $title) => request_json('PUT', "/documents/$id", ['title' => $title], $user)[0];
printf("owner %d, stranger %d, nobody %d, no such id %d\n", $status($ada, 1, 'New title'), $status($eve, 1, 'Stolen'), $status(null, 1, 'Stolen'), $status($ada, 9, 'x'));
$body = fn (int $id) => request_json('PUT', "/documents/$id", ['title' => 'x'], $eve)[1];
echo $body(1) === $body(9) ? "same answer\n" : json_encode([$body(1), $body(9)]) . "\n";
Document::forceCreate(['user_id' => null, 'title' => 'Of nobody']);
printf("of nobody, asked by nobody: %d\n", $status(null, 2, 'Stolen'));
echo $document->fresh()->title, "\n";
