//! What the listener refuses by itself, as RFC 9457 problems.

use axum::{
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde_json::json;
use signalbox_engine::words::Lang;

use super::language;

/// Why a request goes no further than the listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// No token, or one that is not known.
    Unauthorized,
    /// Nothing is at that path.
    NotFound,
    /// Something is there, but not for this method.
    WrongMethod,
    /// More bytes than allowed.
    TooLarge(usize),
    /// The body did not arrive in time.
    TooSlow,
    /// The body ended early.
    Broken,
    /// The body is no JSON.
    BadJson {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What the parser said.
        why: String,
    },
    /// The query cannot be decoded.
    BadQuery,
    /// `Last-Event-ID` is no number.
    BadEventId,
    /// Called by a name that is not ours.
    WrongHost(String),
}

impl Refusal {
    /// Status, last part of the type, title.
    fn kind(&self) -> (StatusCode, &'static str, &'static str, &'static str) {
        match self {
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "A token is needed", "需要令牌"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", "Nothing is here", "此处没有内容"),
            Self::WrongMethod => (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Wrong method", "方法不对"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The body is too large", "请求体过大"),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, "too-slow", "The body came too slowly", "请求体到达太慢"),
            Self::Broken => (StatusCode::BAD_REQUEST, "broken-body", "The body broke off", "请求体中断"),
            Self::BadJson { .. } => (StatusCode::BAD_REQUEST, "bad-json", "The body is not JSON", "请求体不是 JSON"),
            Self::BadQuery => (StatusCode::BAD_REQUEST, "bad-query", "The query cannot be read", "查询串无法读取"),
            Self::BadEventId => {
                (StatusCode::BAD_REQUEST, "bad-event-id", "Last-Event-ID is not a number", "Last-Event-ID 不是数字")
            }
            Self::WrongHost(_) => {
                (StatusCode::MISDIRECTED_REQUEST, "wrong-host", "Not a name of this host", "不是本机的名称")
            }
        }
    }

    fn detail(&self, parts: &Parts, lang: Lang) -> String {
        let (method, path) = (&parts.method, parts.uri.path());
        let (en, zh) = match self {
            Self::Unauthorized => (
                "Send `Authorization: Bearer TOKEN` with the token of the start, or one from `http.api_tokens`.".into(),
                "请发送 `Authorization: Bearer TOKEN`，使用启动时给出的令牌或 `http.api_tokens` 中的令牌。".into(),
            ),
            Self::NotFound => (
                format!("There is no {path}. The calls are listed at /api/v1/openapi.json."),
                format!("没有 {path}。可用的调用见 /api/v1/openapi.json。"),
            ),
            Self::WrongMethod => (
                format!("{path} does not take {method}. The header `Allow` says what it takes."),
                format!("{path} 不接受 {method}。可用的方法见 `Allow` 头。"),
            ),
            Self::TooLarge(limit) => {
                let kib = limit / 1024;
                (format!("The body may have at most {kib} KiB."), format!("请求体最多 {kib} KiB。"))
            }
            Self::TooSlow => (
                "The body did not arrive within 30 seconds. Send it again.".into(),
                "请求体未在 30 秒内到达。请重新发送。".into(),
            ),
            Self::Broken => (
                "The connection ended before the body did. Send it again.".into(),
                "连接在请求体结束前断开。请重新发送。".into(),
            ),
            Self::BadJson { line, column, why } => (
                format!("Line {line}, column {column}: {why}."),
                format!("第 {line} 行第 {column} 列：{why}。"),
            ),
            Self::BadQuery => (
                "The part after `?` is not made of name=value pairs in UTF-8.".into(),
                "`?` 之后的部分不是 UTF-8 的 name=value 形式。".into(),
            ),
            Self::BadEventId => (
                "`Last-Event-ID` is the id of the last event you have seen, a whole number. Leave it out to see new events only."
                    .into(),
                "`Last-Event-ID` 是最后收到的事件编号，为整数。不带此头则只接收新事件。".into(),
            ),
            Self::WrongHost(host) => (
                format!("This listener does not answer to the name `{host}`. Use its address, or set `http.callback_url` to the name it has."),
                format!("此监听不接受名称 `{host}`。请使用其地址，或在 `http.callback_url` 中写明其名称。"),
            ),
        };
        match lang {
            Lang::En => en,
            Lang::ZhCn => zh,
        }
    }

    /// The refusal as an answer to a request.
    pub(super) fn answer(&self, parts: &Parts) -> Response {
        let lang = language(&parts.headers);
        let (status, word, en, zh) = self.kind();
        let mut body = json!({
            "type": format!("https://signalbox.dev/problems/{word}"),
            "title": match lang { Lang::En => en, Lang::ZhCn => zh },
            "status": status.as_u16(),
            "detail": self.detail(parts, lang),
            "instance": parts.uri.path(),
        });
        if let Self::BadJson { line, column, .. } = self {
            body["line"] = json!(line);
            body["column"] = json!(column);
        }
        let mut response =
            (status, [(header::CONTENT_TYPE, "application/problem+json")], body.to_string()).into_response();
        if *self == Self::Unauthorized {
            let scheme = HeaderValue::from_static("Bearer realm=\"signalbox\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
