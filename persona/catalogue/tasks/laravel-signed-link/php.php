<?php
// snippet:doc https://laravel.com/docs/urls#signed-urls Signed URLs
// snippet:about Laravel
// snippet:check
require 'laravel.php';
table('invoices', function ($t) { $t->id(); $t->string('file'); $t->timestamps(); });
// snippet:prints fresh 200, another id 403, later expiry 403, unsigned 403, next day 403
// snippet:measures that a link that was changed or is late is rejected
// snippet:end
use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Facades\{Route, Storage, URL};

class Invoice extends Model {} // file: its path in the storage

Route::get('/invoices/{id}/download', function (int $id) {
    $invoice = Invoice::findOrFail($id); // not as a bound model, which can be looked up before the signature is checked
    return Storage::download($invoice->file, "invoice-{$invoice->id}.pdf");
})->name('invoices.download')->middleware('signed');

function download_link(Invoice $invoice): string
{
    return URL::temporarySignedRoute('invoices.download', now()->addHours(24), ['id' => $invoice->id]);
}
// snippet:check
Model::unguard();
$app['url']->setKeyResolver(fn () => str_repeat('k', 32));
Route::getRoutes()->refreshNameLookups();
Illuminate\Support\Carbon::setTestNow('2026-03-01 12:00:00');
Storage::put('a.pdf', '%PDF');
Invoice::create(['file' => 'a.pdf']);
Invoice::create(['file' => 'a.pdf']);
$link = download_link(Invoice::first());
$status = fn (string $link) => request_json('GET', $link)[0];
$fresh = $status($link);
$other = $status(str_replace('invoices/1', 'invoices/2', $link));
$later = $status(preg_replace_callback('/expires=(\d+)/', fn ($m) => 'expires=' . ($m[1] + 9999999), $link));
$none = $status(strtok($link, '?'));
assert($status('/invoices/99/download') === 403);
Illuminate\Support\Carbon::setTestNow('2026-03-02 12:00:01');
printf("fresh %d, another id %d, later expiry %d, unsigned %d, next day %d\n", $fresh, $other, $later, $none, $status($link));
