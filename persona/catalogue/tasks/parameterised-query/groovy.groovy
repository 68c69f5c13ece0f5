// snippet:doc https://docs.groovy-lang.org/latest/html/documentation/sql-userguide.html Groovy SQL
// snippet:prints 2 Ada
// snippet:prints 1 Bo
// snippet:prints 0
import groovy.sql.Sql

/** The GString is not joined to one text: each ${value} becomes a parameter. */
List<Map> customersIn(Sql db, String city) {
    db.rows("SELECT id, name FROM customer WHERE city = $city ORDER BY name")
}

Sql.withInstance('jdbc:sqlite::memory:') { Sql db ->
    db.execute 'CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT)'
    db.withTransaction {
        [[name: 'Bo', city: 'Rome'], [name: 'Ada', city: 'Rome'], [name: 'Cy', city: 'Bath']].each {
            db.executeInsert 'INSERT INTO customer (name, city) VALUES (:name, :city)', it
        }
    }
    customersIn(db, 'Rome').each { println "$it.id $it.name" }
    // snippet:measures a text that would end the statement stays a value
    println customersIn(db, "' OR 1=1 --").size()
}
