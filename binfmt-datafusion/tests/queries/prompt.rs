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
    child: std::process::Child,
}

impl Terminal {
    fn start(folder: &std::path::Path) -> Self {
        let size = nix::pty::Winsize { ws_row: 40, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = nix::pty::openpty(Some(&size), None).unwrap();
        let end = || Stdio::from(pty.slave.try_clone().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
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
        let mut terminal = Terminal { keys, shown, text: String::new(), child };
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
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
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
    terminal.wait("++");
    terminal.wait("sql> ");
    terminal.press("EXPLAIN SELECT max(celsius) FROM roo\t WHERE doo\t");
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
