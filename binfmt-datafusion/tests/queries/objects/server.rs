//! A web server with files in memory, which fails when it is told to.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    Right,
    Status(u16),
    /// Only so many bytes are sent.
    Cut(usize),
}

type Judge = Box<dyn Fn(usize) -> Answer + Send + Sync>;

#[derive(Default)]
pub(crate) struct Counts {
    /// Requests for bytes.
    pub(crate) requests: usize,
    /// Bytes of files that were sent.
    pub(crate) bytes: usize,
}

pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) files: Mutex<HashMap<String, Vec<u8>>>,
    counts: Mutex<Counts>,
    /// What becomes of a request for bytes, by its number.
    judge: Judge,
    has_tags: bool,
}

impl Server {
    pub(crate) fn start(
        files: impl IntoIterator<Item = (&'static str, Vec<u8>)>,
        judge: impl Fn(usize) -> Answer + Send + Sync + 'static,
    ) -> Arc<Server> {
        Server::with_tags(files, judge, true)
    }

    pub(crate) fn with_tags(
        files: impl IntoIterator<Item = (&'static str, Vec<u8>)>,
        judge: impl Fn(usize) -> Answer + Send + Sync + 'static,
        has_tags: bool,
    ) -> Arc<Server> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let files = files.into_iter().map(|(name, bytes)| (format!("/{name}"), bytes)).collect();
        let (files, counts) = (Mutex::new(files), Mutex::default());
        let server = Arc::new(Server { url, files, counts, judge: Box::new(judge), has_tags });
        let answering = Arc::clone(&server);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let server = Arc::clone(&answering);
                // a client that is gone is not missed
                std::thread::spawn(move || stream.and_then(|stream| server.answer(stream)));
            }
        });
        server
    }

    /// What was counted, and from then on from nothing again.
    pub(crate) fn counted(&self) -> Counts {
        std::mem::take(&mut self.counts.lock().unwrap())
    }

    fn answer(&self, stream: TcpStream) -> Result<()> {
        let mut lines = BufReader::new(stream.try_clone()?).lines();
        let first = lines.next().unwrap_or(Ok(String::new()))?;
        let mut headers = HashMap::new();
        for line in lines {
            let line = line?;
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let file = self.files.lock().unwrap().get(path).cloned();
        let Some(file) = file else { return respond(&stream, 404, &[], b"", 0) };
        let tag = format!("\"{}\"", file.iter().map(|b| u64::from(*b)).sum::<u64>());
        let tag = format!("ETag: {tag}");
        let tags = if self.has_tags { vec![tag.as_str()] } else { vec![] };
        match method {
            "HEAD" => respond(&stream, 200, &tags, b"", file.len()),
            "GET" => {
                let number = {
                    let mut counts = self.counts.lock().unwrap();
                    counts.requests += 1;
                    counts.requests - 1
                };
                if headers.get("if-match").is_some_and(|wanted| format!("ETag: {wanted}") != tag) {
                    return respond(&stream, 412, &[], b"", 0);
                }
                let range =
                    headers.get("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
                let (from, to) = range.expect("only ranges are asked for");
                let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
                let body = &file[from..=to];
                let range = format!("Content-Range: bytes {from}-{to}/{}", file.len());
                let tags: Vec<&str> = tags.iter().copied().chain([range.as_str()]).collect();
                let sent = match (self.judge)(number) {
                    Answer::Right => body,
                    Answer::Status(status) => return respond(&stream, status, &[], b"", 0),
                    Answer::Cut(bytes) => &body[..bytes.min(body.len())],
                };
                self.counts.lock().unwrap().bytes += sent.len();
                respond(&stream, 206, &tags, sent, body.len())
            }
            _ => respond(&stream, 405, &[], b"", 0),
        }
    }
}

fn respond(mut stream: &TcpStream, status: u16, headers: &[&str], body: &[u8], length: usize) -> Result<()> {
    let mut text = format!("HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n");
    headers.iter().for_each(|header| text.extend([header, "\r\n"]));
    stream.write_all(format!("{text}\r\n").as_bytes())?;
    stream.write_all(body)
}
