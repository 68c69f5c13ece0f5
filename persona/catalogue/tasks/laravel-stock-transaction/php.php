<?php
// snippet:doc https://laravel.com/docs/database#database-transactions Database transactions
// snippet:about Laravel
// snippet:check
require 'laravel.php';
table('products', function ($t) { $t->id(); $t->integer('stock'); });
table('orders', function ($t) { $t->id(); $t->foreignId('product_id'); $t->integer('quantity'); });
table('jobs', function ($t) { $t->id(); $t->string('queue'); $t->longText('payload'); $t->integer('attempts'); $t->integer('reserved_at')->nullable(); $t->integer('available_at'); $t->integer('created_at'); });
class Goods extends Illuminate\Database\Eloquent\Model { protected $table = 'products'; protected $guarded = []; public $timestamps = false; }
class Purchase extends Illuminate\Database\Eloquent\Model { protected $table = 'orders'; protected $guarded = []; public $timestamps = false; }
class Receipt implements Illuminate\Contracts\Queue\ShouldQueue {
    use Illuminate\Foundation\Bus\Dispatchable, Illuminate\Bus\Queueable;
    public function __construct(public int $order) {}
}
class_alias(Goods::class, 'App\Models\Product');
class_alias(Purchase::class, 'App\Models\Order');
class_alias(Receipt::class, 'App\Jobs\SendReceipt');
// snippet:prints stock 1, 1 order, 1 job
// snippet:prints product 1: fewer than 2 left
// snippet:prints stock 1, 1 order, 1 job
// snippet:prints after a failure: stock 1, 1 order, 1 job
// snippet:end
use App\Jobs\SendReceipt;
use App\Models\{Order, Product};
use Illuminate\Support\Facades\DB;

class SoldOut extends \DomainException {}

function place_order(Product $product, int $quantity): Order
{
    if ($quantity < 1) {
        throw new \InvalidArgumentException("quantity $quantity: expected 1 or more");
    }
    return DB::transaction(function () use ($product, $quantity) {
        $taken = Product::whereKey($product->id)
            ->where('stock', '>=', $quantity)
            ->decrement('stock', $quantity);
        if ($taken === 0) {
            throw new SoldOut("product {$product->id}: fewer than $quantity left");
        }
        $order = Order::create(['product_id' => $product->id, 'quantity' => $quantity]); // both $fillable
        SendReceipt::dispatch($order->id)->afterCommit();
        return $order;
    }, attempts: 3); // of deadlocks
}
// snippet:check
$state = fn () => sprintf('stock %d, %d order, %d job', Product::first()->stock, Order::count(), DB::table('jobs')->count());
$product = Product::create(['stock' => 3]);
place_order($product, 2);
echo $state(), "\n";
try {
    place_order($product, 2);
} catch (SoldOut $error) {
    echo $error->getMessage(), "\n";
}
echo $state(), "\n";
try {
    DB::transaction(function () use ($product) {
        place_order($product, 1);
        throw new RuntimeException('the payment failed');
    });
} catch (RuntimeException) {
}
echo 'after a failure: ', $state(), "\n";
