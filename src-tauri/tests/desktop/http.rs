//! One HTTP/1.1 request at a time to a listener on this machine; enough for WebDriver and for the practice remotes.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Sends JSON to `http://host:port/path` and gives the status and the decoded answer, `Null` when it is not JSON.
pub(crate) fn send(method: &str, url: &str, body: Option<&Value>) -> std::io::Result<(u16, Value)> {
    let rest = url.strip_prefix("http://").expect("only plain HTTP is spoken here");
    let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
    let body = body.map(Value::to_string).unwrap_or_default();
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    write!(
        stream,
        "{method} /{path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Ok((status, serde_json::from_str(body).unwrap_or(Value::Null)))
}
