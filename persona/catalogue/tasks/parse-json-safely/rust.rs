// snippet:description Turn a JSON text into a struct. Optional fields may be missing, unknown ones are refused, and an error
// snippet:description says at which line and column the parser noticed it.
// snippet:doc https://serde.rs/field-attrs.html Serde field attributes
// snippet:needs Rust 1.71
// snippet:into In a crate: cargo add serde_json && cargo add serde --features derive
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Order {
    id: String,
    #[serde(default = "one")]
    quantity: u32,
    ship_to: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

fn one() -> u32 {
    1
}

/// The error has line and column; a missing or unknown field is named. Serde also takes an
/// array that holds the fields in order.
pub fn parse_order(json: &str) -> Result<Order, serde_json::Error> {
    serde_json::from_str(json)
}
// snippet:usage
// snippet:prints a1 1
// snippet:prints Some("Bath") []
// snippet:prints invalid value: integer `-2`, expected u32 at line 1 column 27
// snippet:prints missing field `id` at line 1 column 15
fn main() {
    let order = parse_order(r#"{"id": "a1", "shipTo": "Bath"}"#).unwrap();
    println!("{} {}", order.id, order.quantity);
    println!("{:?} {:?}", order.ship_to, order.tags);
    for bad in [r#"{"id": "a1", "quantity": -2}"#, r#"{"quantity": 2}"#] {
        println!("{}", parse_order(bad).unwrap_err());
    }
    // snippet:check
    // snippet:prints unknown field `x`, expected one of `id`, `quantity`, `shipTo`, `tags` at line 1 column 15
    println!("{}", parse_order(r#"{"id": "a", "x": 1}"#).unwrap_err());
    // snippet:usage
}
