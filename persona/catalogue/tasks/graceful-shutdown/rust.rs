// snippet:doc https://docs.rs/tokio/latest/tokio/task/struct.JoinSet.html tokio::task::JoinSet
// snippet:needs Rust 1.85
// snippet:into Call it with a listener of your server; cargo add tokio --features full
// snippet:prints cut off: 0
use std::time::Duration;
use tokio::{net::TcpListener, net::TcpStream, task::JoinSet, time::timeout};

/// Accepts connections until `stop` completes, then gives the open ones
/// `grace` to finish. Returns how many had to be cut off. An error of accept cuts
/// off all.
pub async fn serve<H>(
    listener: TcpListener,
    stop: impl Future<Output = ()>,
    grace: Duration,
    handle: impl Fn(TcpStream) -> H,
) -> std::io::Result<usize>
where
    H: Future<Output = ()> + Send + 'static,
{
    let mut open = JoinSet::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            biased; // the first that is ready: told to stop, it accepts no more
            _ = &mut stop => break,
            Some(_) = open.join_next() => {} // forget finished ones as we go
            accepted = listener.accept() => { open.spawn(handle(accepted?.0)); }
        }
    }
    drop(listener);
    let finish = async { while open.join_next().await.is_some() {} };
    let _ = timeout(grace, finish).await;
    Ok(open.len())
}
// snippet:check
#[tokio::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let (done, stopped) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(async move {
        let _one = TcpStream::connect(address).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        let _ = done.send(());
    });
    let stop = async {
        let _ = stopped.await;
    };
    let cut = serve(listener, stop, Duration::from_secs(10), |_| async {
        tokio::time::sleep(Duration::from_millis(50)).await;
    });
    println!("cut off: {}", cut.await?);
    Ok(())
}
