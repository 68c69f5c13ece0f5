// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.sql/java/sql/Connection.html java.sql.Connection
// snippet:prints no account 1, or too little on it
// snippet:prints no account 9
// snippet:prints -30: the amount must be positive
// snippet:prints 70
import java.sql.Connection;
import java.sql.SQLException;

final class Accounts {
    /** Moves an amount between two accounts: both rows change, or neither. */
    static void transfer(Connection db, long from, long to, long cents) throws SQLException {
        if (cents <= 0) throw new IllegalArgumentException(cents + ": the amount must be positive");
        db.setAutoCommit(false);
        try {
            if (add(db, from, -cents) != 1) throw new SQLException("no account " + from + ", or too little on it");
            if (add(db, to, cents) != 1) throw new SQLException("no account " + to);
            db.commit();
        } catch (Throwable e) { // an Error, too: setAutoCommit(true) would commit half a transfer
            db.rollback();
            throw e;
        } finally {
            db.setAutoCommit(true);
        }
    }

    private static int add(Connection db, long id, long cents) throws SQLException {
        var sql = "UPDATE account SET cents = cents + ? WHERE id = ? AND cents + ? >= 0";
        try (var update = db.prepareStatement(sql)) {
            update.setLong(1, cents);
            update.setLong(2, id);
            update.setLong(3, cents);
            return update.executeUpdate();
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        try (var db = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:"); var s = db.createStatement()) {
            s.executeUpdate("CREATE TABLE account (id INTEGER PRIMARY KEY, cents INTEGER)");
            s.executeUpdate("INSERT INTO account VALUES (1, 100), (2, 0)");
            Accounts.transfer(db, 1, 2, 30);
            for (long to : new long[] {2, 9}) {
                try {
                    Accounts.transfer(db, 1, to, to == 2 ? 80 : 10);
                } catch (SQLException e) {
                    System.out.println(e.getMessage());
                }
            }
            try {
                Accounts.transfer(db, 1, 2, -30);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
            System.out.println(s.executeQuery("SELECT cents FROM account WHERE id = 1").getLong(1));
        }
    }
}
