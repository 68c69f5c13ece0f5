# snippet:doc https://metacpan.org/pod/DBI#Transactions DBI transactions
use v5.36;
use DBI;

sub transfer ($db, $from, $to, $cents) {
    die "the amount must be a positive number of cents\n" unless $cents =~ /\A[1-9][0-9]*\z/a;
    local $db->{RaiseError} = 1;
    $db->begin_work;
    my $done = eval {
        my $debited = $db->do('UPDATE account SET cents = cents - ? WHERE id = ? AND cents >= ?',
            undef, $cents, $from, $cents);
        my $credited = $db->do('UPDATE account SET cents = cents + ? WHERE id = ?', undef, $cents, $to);
        die "no such account, or not enough money on it\n" if $debited != 1 || $credited != 1;
        $db->commit;
    };
    return if $done;
    my $error = $@;
    $db->rollback;
    die $error;
}
# snippet:check
my $db = DBI->connect('dbi:SQLite:dbname=:memory:', '', '', { RaiseError => 1 });
$db->do('CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER)');
$db->do('INSERT INTO account VALUES (1, 500), (2, 0)');
transfer($db, 1, 2, 200);
print eval { transfer($db, 1, 2, $_); 1 } ? '' : $@ for 400, -200;
say join ' ', $db->selectcol_arrayref('SELECT cents FROM account ORDER BY id')->@*;
# snippet:prints no such account, or not enough money on it
# snippet:prints the amount must be a positive number of cents
# snippet:prints 300 200
