<?php
// snippet:doc https://laravel.com/docs/validation#form-request-validation Form request validation
// snippet:about Laravel
// snippet:check
require 'laravel.php';
table('users', function ($t) { $t->id(); $t->string('name'); $t->string('email')->unique(); $t->boolean('is_admin')->default(false); });
class Account extends Illuminate\Foundation\Auth\User { protected $table = 'users'; protected $guarded = []; public $timestamps = false; }
class_alias(Account::class, 'App\Models\User');
// snippet:prints 201 ada@example.com admin: no
// snippet:prints 422 {"email":["The email has already been taken."],"password":["The password must be at least 12 characters."]}
// snippet:prints a list: 422
// snippet:end
use App\Models\User;
use Illuminate\Foundation\Http\FormRequest;
use Illuminate\Support\Facades\Hash;
use Illuminate\Support\Facades\Route;
use Illuminate\Validation\Rules\Password;

class RegisterRequest extends FormRequest
{
    protected function prepareForValidation(): void
    {
        if (is_string($email = $this->input('email'))) { // anything else is for the rules to refuse
            $this->merge(['email' => mb_strtolower(trim($email))]);
        }
    }

    public function rules(): array
    {
        return [
            'name' => ['required', 'string', 'max:80'],
            'email' => ['required', 'string', 'email', 'max:254', 'unique:users'],
            'password' => ['required', Password::min(12)],
        ];
    }
}

Route::post('/users', function (RegisterRequest $request) {
    $fields = $request->validated();
    $user = User::create([...$fields, 'password' => Hash::make($fields['password'])]);
    return response()->json($user->only('id', 'email'), 201);
});
// snippet:check
Illuminate\Support\Facades\Schema::table('users', fn ($t) => $t->string('password')->nullable());
$form = ['name' => 'Ada', 'email' => ' Ada@Example.com ', 'password' => 'analytical engine', 'is_admin' => true];
[$status, $body] = request_json('POST', '/users', $form);
echo $status, ' ', $body['email'], ' admin: ', User::first()->is_admin ? 'yes' : 'no', "\n";
assert(Hash::check('analytical engine', User::first()->password));
[$status, $body] = request_json('POST', '/users', ['email' => 'ADA@example.com', 'password' => 'short'] + $form);
echo $status, ' ', str_replace('field must', 'must', json_encode($body['errors'])), "\n";
echo 'a list: ', request_json('POST', '/users', ['email' => ['x']] + $form)[0], "\n";
