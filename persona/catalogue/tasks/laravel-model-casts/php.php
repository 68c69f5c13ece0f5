<?php
// snippet:doc https://laravel.com/docs/eloquent-mutators#attribute-casting Attribute casting
// snippet:about Laravel
// snippet:check
require 'laravel.php';
table('invoices', function ($t) { $t->id(); $t->string('status'); $t->integer('cents'); $t->date('due_on'); $t->json('meta')->nullable(); });
// snippet:prints Open 1234.05 2026-03-01 ada
// snippet:prints -0.05
// snippet:prints overdue: 1
// snippet:prints "lost" is not a valid backing value for enum Status
// snippet:end
use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Casts\Attribute;
use Illuminate\Database\Eloquent\Model;

enum Status: string
{
    case Open = 'open';
    case Paid = 'paid';
}

class Invoice extends Model
{
    public $timestamps = false;
    protected $fillable = ['status', 'cents', 'due_on', 'meta'];
    protected $casts = ['status' => Status::class, 'due_on' => 'immutable_date:Y-m-d', 'meta' => 'array'];

    protected function amount(): Attribute // $invoice->amount
    {
        return Attribute::get(function () {
            $cents = abs($this->cents);
            return ($this->cents < 0 ? '-' : '') . sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
        });
    }

    public function scopeOverdue(Builder $query): void // Invoice::overdue()
    {
        $query->where('status', Status::Open)->whereDate('due_on', '<', today());
    }
}
// snippet:check
Illuminate\Support\Carbon::setTestNow('2026-03-02 09:00:00');
$new = fn (Status $status, string $due) => Invoice::create(['status' => $status, 'cents' => 123405, 'due_on' => $due, 'meta' => ['by' => 'ada']]);
$new(Status::Open, '2026-03-01');
$new(Status::Open, '2026-03-02');
$new(Status::Paid, '2026-02-01');
$i = Invoice::first();
echo "{$i->status->name} {$i->amount} {$i->due_on->toDateString()} {$i->meta['by']}\n";
$i->cents = -5;
echo "{$i->amount}\n";
echo 'overdue: ', Invoice::overdue()->count(), "\n";
try {
    Illuminate\Support\Facades\DB::table('invoices')->update(['status' => 'lost']);
    Invoice::first()->status;
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
