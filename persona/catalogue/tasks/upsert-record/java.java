// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.sql/java/sql/PreparedStatement.html#addBatch() PreparedStatement.addBatch
// snippet:needs Java 16
// snippet:into With the driver sqlite-jdbc on the class path.
// snippet:prints A 2
// snippet:prints B 5
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
// snippet:usage

class Main {
    public static void main(String[] args) throws Exception {
        try (var db = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:"); var s = db.createStatement()) {
            s.executeUpdate("CREATE TABLE stock (sku TEXT PRIMARY KEY NOT NULL, units INTEGER)");
            Stock.saveAll(db, List.of(new Stock("A", 3), new Stock("B", 5)));
            Stock.saveAll(db, List.of(new Stock("A", 2)));
            var rows = s.executeQuery("SELECT sku, units FROM stock ORDER BY sku");
            while (rows.next()) System.out.println(rows.getString(1) + " " + rows.getInt(2));
        }
    }
}
// snippet:end

record Stock(String sku, int units) {
    private static final String UPSERT = """
            INSERT INTO stock (sku, units) VALUES (?, ?)
            ON CONFLICT (sku) DO UPDATE SET units = excluded.units
            """;

    /** Writes all in one batch and one transaction; {@code db} is in auto-commit mode. Safe to run again. */
    static void saveAll(Connection db, List<Stock> records) throws SQLException {
        db.setAutoCommit(false);
        try (var upsert = db.prepareStatement(UPSERT)) {
            for (var record : records) {
                upsert.setString(1, record.sku());
                upsert.setInt(2, record.units());
                upsert.addBatch();
            }
            upsert.executeBatch();
            db.commit();
        } catch (Throwable e) { // an Error, too: setAutoCommit(true) would commit what is written so far
            db.rollback();
            throw e;
        } finally {
            db.setAutoCommit(true);
        }
    }
}
