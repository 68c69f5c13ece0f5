# snippet:doc https://learn.microsoft.com/python/api/overview/azure/data-tables-readme Azure Tables client library
# snippet:about Microsoft Azure
# snippet:into pip install azure-data-tables, and call it with a client of your storage account.
# snippet:check
import azurite

# snippet:end
from azure.data.tables import TableClient, TableTransactionError


def save_order(table: TableClient, customer: str, order: str, items: dict[str, int]) -> bool:
    """False: the order is there already. Keys must not contain / \\ # or ?."""
    if ":" in order:  # it ends the order's number in a row key
        raise ValueError(f"order {order!r}: no colon, please")
    head = {"PartitionKey": customer, "RowKey": f"order:{order}", "count": sum(items.values())}
    rows = [
        {"PartitionKey": customer, "RowKey": f"item:{order}:{name}", "quantity": quantity}
        for name, quantity in items.items()
    ]
    try:
        table.submit_transaction([("create", row) for row in [head, *rows]])  # at most 100 rows
    except TableTransactionError as e:
        if e.error_code == "EntityAlreadyExists":
            return False
        raise
    return True


def items_of(table: TableClient, customer: str, order: str) -> dict[str, int]:
    found = table.query_entities(
        "PartitionKey eq @customer and RowKey ge @first and RowKey lt @after",
        parameters={"customer": customer, "first": f"item:{order}:", "after": f"item:{order};"},  # ; follows :
    )
    return {row["RowKey"].split(":", 2)[2]: row["quantity"] for row in found}


# snippet:check
table = azurite.table("orders")
print(save_order(table, "ada", "7", {"pen": 2, "ink": 1}), save_order(table, "ada", "7", {"ship": 1}), save_order(table, "O'Neil", "7", {"cap": 1}))
print(items_of(table, "ada", "7"), items_of(table, "O'Neil", "7"), items_of(table, "' or PartitionKey ne '", "7"))
try:
    save_order(table, "ada", "7:8", {"pen": 1})
except ValueError as e:
    print(e)
print(save_order(table, "ada", "70", {"a:b": 3}), items_of(table, "ada", "7"), items_of(table, "ada", "70"))
# snippet:prints True False True
# snippet:prints {'ink': 1, 'pen': 2} {'cap': 1} {}
# snippet:prints order '7:8': no colon, please
# snippet:prints True {'ink': 1, 'pen': 2} {'a:b': 3}
