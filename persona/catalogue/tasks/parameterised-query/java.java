// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.sql/java/sql/PreparedStatement.html java.sql.PreparedStatement
// snippet:needs Java 16
// snippet:into Call it with a connection to a database that has a table customer.
// snippet:prints [Customer[id=2, name=Ada], Customer[id=1, name=Bo]]
// snippet:prints []
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

record Customer(long id, String name) {

    /** The city is bound as a value: no text can change the statement. */
    static List<Customer> in(Connection db, String city) throws SQLException {
        var sql = "SELECT id, name FROM customer WHERE city = ? ORDER BY name";
        try (var query = db.prepareStatement(sql)) {
            query.setString(1, city);
            query.setQueryTimeout(5);
            try (var rows = query.executeQuery()) {
                var customers = new ArrayList<Customer>();
                while (rows.next()) {
                    customers.add(new Customer(rows.getLong("id"), rows.getString("name")));
                }
                return customers;
            }
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        try (var db = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:"); var s = db.createStatement()) {
            s.executeUpdate("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT)");
            s.executeUpdate("INSERT INTO customer (name, city) VALUES ('Bo', 'Rome'), ('Ada', 'Rome'), ('Cy', 'Bath')");
            System.out.println(Customer.in(db, "Rome"));
            // snippet:measures a text that would end the statement stays a value
            System.out.println(Customer.in(db, "' OR 1=1 --"));
        }
    }
}
