// snippet:doc https://docs.oracle.com/en/java/javase/21/docs/api/java.sql/java/sql/PreparedStatement.html java.sql.PreparedStatement
// snippet:prints [d, c]
// snippet:prints [b, a]
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

record Article(String published, long id, String title) {

    /** The page after {@code last}; start with {@code new Article("9999", 0, "")}. */
    static List<Article> olderThan(Connection db, Article last, int pageSize) throws SQLException {
        var sql = """
                SELECT published, id, title FROM article
                WHERE (published, id) < (?, ?)
                ORDER BY published DESC, id DESC LIMIT ?
                """; // needs an index on (published, id); the id breaks ties
        try (var query = db.prepareStatement(sql)) {
            query.setString(1, last.published());
            query.setLong(2, last.id());
            query.setInt(3, pageSize);
            var page = new ArrayList<Article>();
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    page.add(new Article(rows.getString(1), rows.getLong(2), rows.getString(3)));
                }
            }
            return page;
        }
    }
}
// snippet:check
class Main {
    public static void main(String[] args) throws Exception {
        try (var db = java.sql.DriverManager.getConnection("jdbc:sqlite::memory:"); var s = db.createStatement()) {
            s.executeUpdate("CREATE TABLE article (id INTEGER PRIMARY KEY, published TEXT, title TEXT)");
            s.executeUpdate("INSERT INTO article VALUES (1,'2026-01-01','a'),(2,'2026-01-02','b'),(3,'2026-01-02','c'),(4,'2026-01-03','d')");
            var first = Article.olderThan(db, new Article("9999", 0, ""), 2);
            System.out.println(first.stream().map(Article::title).toList());
            System.out.println(Article.olderThan(db, first.getLast(), 2).stream().map(Article::title).toList());
        }
    }
}
