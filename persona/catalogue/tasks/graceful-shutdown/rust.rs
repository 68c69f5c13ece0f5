// snippet:doc https://docs.rs/tokio/latest/tokio/task/struct.JoinSet.html tokio::task::JoinSet
// snippet:needs Rust 1.85
// snippet:into Call it with a listener of your server; cargo add tokio --features full
// snippet:prints cut off: 0
// snippet:prints cut off: 0
// snippet:prints hello after too many open files
use std::{future::Future, time::Duration};
use tokio::{net::TcpListener, net::TcpStream, task::JoinSet, time};

/// Accepts connections until `stop` completes, then gives the open ones
/// `grace` to finish. Returns how many had to be cut off.
pub async fn serve<H>(
    listener: TcpListener,
    stop: impl Future<Output = ()>,
    grace: Duration,
    handle: impl Fn(TcpStream) -> H,
) -> usize
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
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => { open.spawn(handle(stream)); }
                // Too many open files, say: others go on, and the next one waits.
                Err(_) => time::sleep(Duration::from_millis(50)).await,
            }
        }
    }
    drop(listener);
    let finish = async { while open.join_next().await.is_some() {} };
    let _ = time::timeout(grace, finish).await;
    open.len()
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
    println!("cut off: {}", cut.await);
    if std::env::args().len() > 1 {
        return few_files().await;
    }
    let few = r#"ulimit -n 64; exec "$0" few"#;
    let run = std::process::Command::new("sh")
        .args(["-c", few])
        .arg(std::env::current_exe()?)
        .status()?;
    assert!(run.success());
    Ok(())
}

/// A connection that comes while no file can be opened is served afterwards.
async fn few_files() -> std::io::Result<()> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let mut client = TcpStream::connect(listener.local_addr()?).await?;
    let files: Vec<_> = std::iter::from_fn(|| std::fs::File::open("/dev/null").ok()).collect();
    let greet = |mut stream: TcpStream| async move { stream.write_all(b"hello").await.unwrap() };
    let server = tokio::spawn(serve(
        listener,
        std::future::pending(),
        Duration::ZERO,
        greet,
    ));
    time::sleep(Duration::from_millis(100)).await;
    drop(files);
    let mut text = String::new();
    let read = client.read_to_string(&mut text);
    time::timeout(Duration::from_secs(10), read).await??;
    println!("{text} after too many open files");
    server.abort();
    Ok(())
}
