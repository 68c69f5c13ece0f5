# snippet:doc https://juliadatabases.org/SQLite.jl/stable/ SQLite.jl
using SQLite
using DBInterface

function execute_one(db, sql, parameters)
    DBInterface.execute(db, sql, parameters)
    rows = first(DBInterface.execute(db, "SELECT changes() AS n")).n
    rows == 1 || error("account $(parameters.id): not there, or not enough money on it")
end

"Move cents from one account to another: both updates happen, or neither does."
function transfer(db::SQLite.DB, from::Int, to::Int, cents::Int)
    cents > 0 || throw(ArgumentError("cents must be positive"))
    SQLite.transaction(db) do # an exception rolls back
        execute_one(
            db,
            "UPDATE account SET cents = cents - :n WHERE id = :id AND cents >= :n",
            (id = from, n = cents),
        )
        execute_one(db, "UPDATE account SET cents = cents + :n WHERE id = :id", (id = to, n = cents))
    end
end
