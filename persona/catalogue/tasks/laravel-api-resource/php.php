<?php
// snippet:doc https://laravel.com/docs/eloquent-resources API resources
// snippet:about Laravel
// snippet:needs Laravel 10
// snippet:check
require 'laravel.php';
table('orders', function ($t) { $t->id(); $t->integer('total_cents'); $t->string('internal_note')->nullable(); $t->timestamps(); });
table('lines', function ($t) { $t->id(); $t->foreignId('order_id'); $t->string('sku'); });
// snippet:prints {"id":3,"placed_at":"2026-03-01T12:00:00+00:00","total":{"cents":1300,"currency":"EUR"}}
// snippet:prints pages: 3 2 | 1
// snippet:prints ["MUG-1"]
// snippet:end
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\HasMany;
use Illuminate\Http\Request;
use Illuminate\Http\Resources\Json\JsonResource;
use Illuminate\Support\Facades\Route;

class Line extends Model
{
}

class Order extends Model
{
    public function lines(): HasMany { return $this->hasMany(Line::class); }
}

class OrderResource extends JsonResource
{
    public function toArray(Request $request): array
    {
        return [
            'id' => $this->id,
            'placed_at' => $this->created_at?->toAtomString(),
            'total' => ['cents' => $this->total_cents, 'currency' => 'EUR'],
            'lines' => $this->whenLoaded('lines', fn () => $this->lines->pluck('sku')),
        ];
    }
}

Route::get('/orders', fn () => OrderResource::collection(Order::latest('id')->cursorPaginate(2)));
Route::get('/orders/{id}', fn (int $id) => new OrderResource(Order::with('lines')->findOrFail($id)))
    ->where('id', '[0-9]{1,18}');
// snippet:check
Illuminate\Support\Carbon::setTestNow('2026-03-01 12:00:00');
Model::unguard();
foreach ([1100, 1200, 1300] as $cents) {
    Order::create(['total_cents' => $cents, 'internal_note' => 'secret']);
}
Line::insert(['order_id' => 3, 'sku' => 'MUG-1']);
[, $first] = request_json('GET', '/orders');
echo json_encode($first['data'][0]), "\n";
Order::create(['total_cents' => 1]); // comes before the cursor: shifts no page
[, $second] = request_json('GET', '/orders?' . parse_url($first['links']['next'], PHP_URL_QUERY));
echo 'pages: ', implode(' ', array_column($first['data'], 'id')), ' | ', implode(' ', array_column($second['data'], 'id')), "\n";
echo json_encode(request_json('GET', '/orders/3')[1]['data']['lines']), "\n";
assert(request_json('GET', '/orders/99999999999999999999')[0] === 404);
