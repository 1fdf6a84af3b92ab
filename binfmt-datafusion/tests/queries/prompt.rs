//! The program on a terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A terminal on which the program runs, and what it has shown.
struct Terminal {
    keys: File,
    shown: Receiver<Vec<u8>>,
    text: String,
    /// How many bytes were waited for.
    passed: usize,
    child: std::process::Child,
}

impl Terminal {
    fn start(folder: &std::path::Path) -> Self {
        let size = nix::pty::Winsize { ws_row: 40, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = nix::pty::openpty(Some(&size), None).unwrap();
        let end = || Stdio::from(pty.slave.try_clone().unwrap());
        // the terminal is that of the program, so that Ctrl-C is a signal
        let mut command = Command::new("setsid");
        command.args(["--ctty", env!("CARGO_BIN_EXE_binfmt-sql")]);
        command.current_dir(folder).env("XDG_STATE_HOME", folder).env("TERM", "xterm");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let (sender, shown) = channel();
        let mut master = File::from(pty.master);
        let keys = master.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = master.read(&mut bytes) {
                let _ = sender.send(bytes[..n].to_vec());
            }
        });
        let mut terminal = Terminal { keys, shown, text: String::new(), passed: 0, child };
        terminal.wait("sql> ");
        terminal
    }

    /// Reads until a text is shown after the last one that was waited for.
    #[track_caller]
    fn wait(&mut self, text: &str) {
        let until = Instant::now() + Duration::from_secs(60);
        while !self.text.contains(text) {
            match self.shown.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(e) => panic!("{text:?}: {e}: {:?}", self.text),
            }
        }
        let end = self.text.find(text).unwrap() + text.len();
        self.text.drain(..end);
        self.passed += end;
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // it goes on where a test fails
        let _ = self.child.kill();
    }
}

#[test]
fn a_person_is_helped() {
    let folder = std::env::temp_dir().join(format!("binfmt-sql-prompt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("room.csv"), "celsius,door\n21.5,1\n20.5,2\n").unwrap();

    let mut terminal = Terminal::start(&folder);
    // an error does not end it; a query may have several lines
    terminal.press("SELECT nothing;\r");
    terminal.wait("error: ");
    terminal.wait("sql> ");
    terminal.press("SELECT sum(celsius)\rFROM 'room.csv';\r");
    terminal.wait("| 42.0 ");
    terminal.wait("sql> ");
    // the columns of the file are known now, and tables
    terminal.press("CREATE VIEW rooms AS SELECT cels\t, 1 AS n FROM 'room.csv';\r");
    terminal.wait("CREATE VIEW\r\n");
    terminal.wait("sql> ");
    terminal.press("EXPLAIN SELECT max(celsius) FROM rooms\t WHERE doo\t");
    terminal.wait("rooms");
    terminal.wait("door");
    // the line is given up, and the last query comes back
    terminal.press("\u{3}");
    terminal.wait("sql> ");
    terminal.press("\u{1b}[A\u{1b}[A\r");
    terminal.wait("| 42.0 ");
    terminal.wait("sql> ");
    terminal.press("exit\r");
    assert!(terminal.child.wait().unwrap().success());

    // another time
    let mut terminal = Terminal::start(&folder);
    terminal.press("\u{1b}[A\r");
    terminal.wait("| 42.0 ");
    terminal.wait("sql> ");
    terminal.press("\u{4}");
    assert!(terminal.child.wait().unwrap().success());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_query_ends_and_the_prompt_stays() {
    let files = super::asked::Files::new("interrupt");
    let mut terminal = Terminal::start(&files.0);
    terminal.press("CREATE VIEW v AS SELECT 7 AS seven;\r");
    terminal.wait("CREATE VIEW\r\n");
    terminal.wait("sql> ");
    let rows = |many: u64| format!("generate_series(1, {many})");
    for query in [
        // one batch after the other, without any that waits for something
        format!("SELECT count(*) FROM {0} a JOIN {0} b ON a.value % 7 = b.value % 5", rows(300_000)),
        // no rows at all
        format!("SELECT a.value FROM {} a JOIN {} b ON a.value + b.value < 0", rows(20_000), rows(5_000_000)),
        format!("SELECT count(*) FROM {0} a CROSS JOIN {0} b", rows(3_000_000)),
        format!("CREATE TABLE t AS SELECT a.value FROM {0} a CROSS JOIN {0} b", rows(3_000_000)),
        format!("COPY (SELECT a.value FROM {0} a CROSS JOIN {0} b) TO 'half.npy'", rows(3_000_000)),
    ] {
        terminal.press(&format!("{query};\r"));
        // what is typed is shown before the query begins
        std::thread::sleep(Duration::from_millis(1500));
        terminal.press("\u{3}");
        let began = Instant::now();
        terminal.wait("cancelled\r\n");
        terminal.wait("sql> ");
        assert!(began.elapsed() < Duration::from_secs(10), "{query}: {:?}", began.elapsed());
        let idle = time(terminal.child.id());
        std::thread::sleep(Duration::from_secs(2));
        // in 200 ticks of two processors
        assert!(time(terminal.child.id()) - idle < 100, "{query} goes on");
    }
    assert!(!files.0.join("half.npy").exists());
    terminal.press("SELECT seven FROM v;\r");
    terminal.wait("| 7 ");
    terminal.wait("sql> ");
    terminal.press("\\q\r");
    assert!(terminal.child.wait().unwrap().success());
}

/// The processor time that a program took, in hundredths of a second.
fn time(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

#[test]
fn words_of_other_prompts_are_known() {
    let files = super::asked::Files::new("words");
    let mut terminal = Terminal::start(&files.0);
    for (word, answer) in [
        ("help", "Ctrl-C ends a query"),
        ("\\?", "Ctrl-C ends a query"),
        ("\\d", "0 rows"),
        (".mode csv", "unknown command `.mode`; \\? lists"),
        ("\\x", "unknown command `\\x`"),
        ("SELECT 1 AS one;", "1 row\r\n"),
        ("CREATE VIEW v AS SELECT 1 AS one;", "CREATE VIEW\r\n"),
        ("CREATE VIEW w AS SELECT 7 AS seven;", "CREATE VIEW\r\n"),
        (".tables", "| v          | view"),
        ("\\d v", "| one "),
        ("\\d run0.sdds", "| x           | Int64     | NO          | m "),
        ("SELECT * FROM generate_series(1, 100);", "the first 40 of 100 rows"),
        ("SELECT * FROM generate_series(1, 100) LIMIT 50;", "50 rows"),
        ("SELECT * FROM run0\t;", "5 rows"),
        ("SHOW FUNCTIONS;", "the first 5 of 7 columns"),
        ("SELECT sev\t FROM w;", "1 row\r\n"),
    ] {
        terminal.press(&format!("{word}\r"));
        terminal.wait(answer);
        terminal.wait("sql> ");
    }
    terminal.press(".quit\r");
    assert!(terminal.child.wait().unwrap().success());
}

/// A long answer ends where it is, and nothing of it comes later.
#[test]
fn printing_ends() {
    let files = super::asked::Files::new("printing");
    let mut terminal = Terminal::start(&files.0);
    terminal.press("SELECT value, repeat('x', 100) AS t FROM generate_series(1, 300000) LIMIT 300000;\r");
    terminal.wait("| 40 ");
    terminal.press("\u{3}");
    terminal.wait("cancelled\r\n");
    let before = terminal.passed;
    assert!(before < 20_000_000, "{before} bytes");
    terminal.wait("sql> ");
    assert!(terminal.passed - before < 1000, "an answer goes on");
    terminal.press("\\q\r");
    assert!(terminal.child.wait().unwrap().success());
}

/// Other programs end it where it waits for a person.
#[test]
fn a_prompt_that_waits_is_ended() {
    use nix::sys::signal::{Signal, kill};
    let files = super::asked::Files::new("idle");
    for (signal, status) in [(Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        if signal == Signal::SIGHUP && super::written::ignores_hangups() {
            continue;
        }
        let mut terminal = Terminal::start(&files.0);
        terminal.press("SELECT 1 AS one;\r");
        terminal.wait("1 row");
        terminal.wait("sql> ");
        std::thread::sleep(Duration::from_millis(300));
        let id = terminal.child.id().try_into().unwrap();
        kill(nix::unistd::Pid::from_raw(id), signal).unwrap();
        assert_eq!(terminal.child.wait().unwrap().code(), Some(status));
        let local = nix::sys::termios::tcgetattr(&terminal.keys).unwrap().local_flags;
        assert!(local.contains(nix::sys::termios::LocalFlags::ICANON), "{signal}: it stays raw");
    }
}
