// snippet:doc https://docs.rs/tokio/latest/tokio/time/fn.timeout.html tokio::time::timeout
// snippet:needs Rust 1.85
// snippet:into In a crate: cargo add thiserror && cargo add tokio --features full
use std::{io, process::ExitStatus, time::Duration};
use thiserror::Error;
use tokio::{process::Command, time::timeout};

#[derive(Debug, Error)]
pub enum RunError {
    #[error("not done after {0:?}")]
    TimedOut(Duration),
    #[error("cannot run the command")]
    Start(#[from] io::Error),
    #[error("failed with {0}")]
    Failed(ExitStatus),
}

/// Runs a command and returns its output, once nothing in the background holds that open.
/// Dropping the future on a timeout also kills the child, though not what that has started
/// itself.
pub async fn output(program: &str, args: &[&str], limit: Duration) -> Result<String, RunError> {
    let child = Command::new(program).args(args).kill_on_drop(true).output();
    let output = timeout(limit, child)
        .await
        .map_err(|_| RunError::TimedOut(limit))??;
    if !output.status.success() {
        return Err(RunError::Failed(output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
// snippet:usage
// snippet:prints Ok("quick\n")
// snippet:prints not done after 30ms
#[tokio::main]
async fn main() {
    let limit = Duration::from_secs(10); // for a command that Unix has, as it has sleep
    println!("{:?}", output("echo", &["quick"], limit).await);
    let slow = output("sleep", &["5"], Duration::from_millis(30)).await;
    println!("{}", slow.unwrap_err());
    // snippet:check
    // snippet:prints not done after 200ms
    // snippet:prints failed with exit status: 1
    // snippet:prints cannot run the command
    let left = output("sh", &["-c", "sleep 1 &"], Duration::from_millis(200)).await;
    println!("{}", left.unwrap_err());
    println!("{}", output("false", &[], limit).await.unwrap_err());
    println!("{}", output("no-such-tool", &[], limit).await.unwrap_err());
    // snippet:usage
}
