// snippet:doc https://docs.rs/tokio/latest/tokio/sync/mpsc/index.html tokio::sync::mpsc
// snippet:prints search rust
// snippet:prints search crate
use std::time::Duration;
use tokio::{sync::mpsc, time::timeout};

/// Passes on the latest value of each burst, once nothing new has come for
/// `quiet`. Ends when the sender is dropped; the last value is not lost.
pub async fn debounce<T>(mut events: mpsc::Receiver<T>, quiet: Duration, mut act: impl FnMut(T)) {
    while let Some(mut latest) = events.recv().await {
        while let Ok(Some(newer)) = timeout(quiet, events.recv()).await {
            latest = newer;
        } // closed, or quiet long enough
        act(latest);
    }
}
// snippet:check
#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (send, events) = mpsc::channel(8);
    let (acted, mut seen) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        for burst in [["r", "ru", "rust"], ["c", "cr", "crate"]] {
            for text in burst {
                let _ = send.send(text).await;
            }
            seen.recv().await;
        }
    });
    let search = |text| {
        println!("search {text}");
        let _ = acted.send(());
    };
    debounce(events, Duration::from_millis(100), search).await;
}
