//! Work that a person may stop.

use crate::stopping::Stop;
use std::fmt;
use std::future::Future;
use std::sync::OnceLock;
use std::sync::mpsc::{SyncSender, sync_channel};
#[cfg(any(unix, feature = "prompt"))]
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::task::JoinError;

/// How long work that was told to stop is waited for: it ends where it looks whether it was.
const PATIENCE: Duration = Duration::from_secs(1);

/// What stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// Ctrl-C.
    Interrupt,
    /// Another program told this one to end.
    #[cfg_attr(not(unix), allow(dead_code, reason = "a signal of Unix"))]
    Terminate,
    /// The terminal is gone.
    #[cfg_attr(not(unix), allow(dead_code, reason = "a signal of Unix"))]
    HangUp,
}

impl Stopped {
    /// What a shell is told: 128 and the number of the signal.
    pub(crate) fn status(self) -> u8 {
        match self {
            Stopped::Interrupt => 130,
            Stopped::Terminate => 143,
            Stopped::HangUp => 129,
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Stopped {}

/// What is heard of signals.
#[derive(Clone, Copy, Debug)]
enum Heard {
    Signal(Stopped),
    /// Some time later.
    Later,
}

/// What work comes to, unless a signal ends it. The work is a task of its own: whatever it is busy with, a signal is heard at once.
///
/// # Errors
/// A signal came. Work that looks whether it is stopped undoes what it had begun; other work is dropped.
pub(crate) async fn or_stopped<T: Send + 'static>(
    stop: Option<&Stop>,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Stopped> {
    if let Some(stop) = stop {
        stop.begin();
    }
    let mut signals = signals();
    let mut task = tokio::spawn(work);
    let stopped = loop {
        tokio::select! {
            done = &mut task => return Ok(of_task(done)),
            heard = next(&mut signals) => match heard {
                Heard::Signal(stopped) => break stopped,
                Heard::Later => {}
            }
        }
    };
    match stop {
        Some(stop) => stop.stop(),
        None => task.abort(),
    }
    loop {
        tokio::select! {
            _ = &mut task => return Err(stopped),
            heard = next(&mut signals) => match heard {
                Heard::Signal(_) => {}
                Heard::Later => {
                    task.abort();
                    return Err(stopped);
                }
            }
        }
    }
}

fn of_task<T>(done: Result<T, JoinError>) -> T {
    match done {
        Ok(done) => done,
        Err(e) => match e.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // nobody but the one who waits aborts it
            Err(e) => std::panic::resume_unwind(Box::new(e.to_string())),
        },
    }
}

async fn next(signals: &mut Option<Receiver<Heard>>) -> Heard {
    match signals {
        Some(signals) => match signals.recv().await {
            Ok(heard) => heard,
            // one of several that were missed
            Err(_) => Heard::Later,
        },
        None => std::future::pending().await,
    }
}

/// What a thread hears that does nothing else: those of the runtime may all be busy. Without one nothing is heard.
fn signals() -> Option<Receiver<Heard>> {
    static HEARD: OnceLock<Option<Sender<Heard>>> = OnceLock::new();
    let begin = || {
        let runtime = Builder::new_current_thread().enable_all().build().ok()?;
        let (sender, _) = channel(16);
        let heard = sender.clone();
        let (begun, waiting) = sync_channel(1);
        let listen = move || runtime.block_on(listen(&sender, begun));
        thread::Builder::new().name("signals".to_owned()).spawn(listen).ok()?;
        // line editing keeps what is done about a signal, and sets it again: not what was before
        let _ = waiting.recv();
        Some(heard)
    };
    HEARD.get_or_init(begin).as_ref().map(Sender::subscribe)
}

#[cfg(unix)]
async fn listen(heard: &Sender<Heard>, begun: SyncSender<()>) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupts), Ok(mut terminations)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    let mut hangups = if survives_terminal() { None } else { signal(SignalKind::hangup()).ok() };
    let _ = begun.send(());
    loop {
        let hangup = async {
            match &mut hangups {
                Some(hangups) => hangups.recv().await,
                None => std::future::pending().await,
            }
        };
        let stopped = tokio::select! {
            _ = interrupts.recv() => Stopped::Interrupt,
            _ = terminations.recv() => Stopped::Terminate,
            _ = hangup => Stopped::HangUp,
        };
        if stopped != Stopped::Interrupt
            && let Some(settle) = &*idle_prompt()
        {
            settle();
            std::process::exit(stopped.status().into());
        }
        tell(heard, stopped).await;
    }
}

/// Whether whoever started the program has it go on when the terminal is gone, as `nohup` does.
#[cfg(unix)]
fn survives_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// What is done before a signal ends the program.
#[cfg(any(unix, feature = "prompt"))]
type Settle = Box<dyn Fn() + Send>;

#[cfg(any(unix, feature = "prompt"))]
fn idle_prompt() -> MutexGuard<'static, Option<Settle>> {
    static IDLE: Mutex<Option<Settle>> = Mutex::new(None);
    // it is whole after every call
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a person. A signal that ends programs ends this one then: nothing is begun that would have to be undone but what `settle`
/// does.
#[cfg(feature = "prompt")]
pub(crate) fn idle<T>(settle: impl Fn() + Send + 'static, wait: impl FnOnce() -> T) -> T {
    // from the first prompt on signals are heard
    drop(signals());
    *idle_prompt() = Some(Box::new(settle));
    let done = wait();
    *idle_prompt() = None;
    done
}

#[cfg(not(unix))]
async fn listen(heard: &Sender<Heard>, begun: SyncSender<()>) {
    let _ = begun.send(());
    while tokio::signal::ctrl_c().await.is_ok() {
        tell(heard, Stopped::Interrupt).await;
    }
}

async fn tell(heard: &Sender<Heard>, stopped: Stopped) {
    // there may be no work
    let _ = heard.send(Heard::Signal(stopped));
    tokio::time::sleep(PATIENCE).await;
    let _ = heard.send(Heard::Later);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_comes_to_its_end() {
        assert_eq!(or_stopped(Some(&Stop::default()), async { 7 }).await, Ok(7));
    }
}
