// snippet:doc https://docs.rs/tracing/latest/tracing/ tracing
// snippet:needs Rust 1.71
// snippet:into In a crate: cargo add tracing && cargo add tracing-subscriber --features json
use tracing::{info, instrument, warn};

#[derive(Debug)]
pub struct OutOfStock;

/// `#[instrument]` opens a span with the arguments: every event inside carries
/// them, also those of the functions called from here. The card is skipped, but for
/// the digits that the last event names.
#[instrument(skip(card), err(Debug))]
pub fn checkout(order: u64, items: &[u32], card: &str) -> Result<u64, OutOfStock> {
    if items.is_empty() {
        warn!("empty basket");
        return Err(OutOfStock);
    }
    let total = items.iter().map(|&cents| u64::from(cents)).sum();
    let digits = card.get(card.len().saturating_sub(4)..);
    info!(total, digits, "paid");
    Ok(total)
}
// snippet:usage
// snippet:prints {"level":"INFO","fields":{"message":"paid","total":42,"digits":"1234"},"span":{"items":"[20, 22]","order":7,"name":"checkout"}}
fn main() {
    tracing_subscriber::fmt()
        .json()
        .without_time()
        .with_target(false)
        .with_span_list(false)
        .init();
    let _ = checkout(7, &[20, 22], "4000000000001234");
    // snippet:check
    // snippet:prints {"level":"INFO","fields":{"message":"paid","total":1,"digits":"42"},"span":{"items":"[1]","order":9,"name":"checkout"}}
    // snippet:prints {"level":"WARN","fields":{"message":"empty basket"},"span":{"items":"[]","order":8,"name":"checkout"}}
    // snippet:prints {"level":"ERROR","fields":{"error":"OutOfStock"},"span":{"items":"[]","order":8,"name":"checkout"}}
    let _ = checkout(9, &[1], "42");
    let _ = checkout(8, &[], "4000000000001234");
    // snippet:usage
}
