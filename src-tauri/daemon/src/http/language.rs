//! The language a caller reads.

use axum::http::{HeaderMap, header};

use crate::port::Lang;

/// The language with the highest weight in `Accept-Language` among those we speak; English when none is named.
#[must_use]
pub fn preferred(headers: &HeaderMap) -> Lang {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let mut best = (0.0_f32, Lang::En);
    for part in wanted.split(',') {
        let mut pieces = part.split(';').map(str::trim);
        let tag = pieces.next().unwrap_or_default().to_ascii_lowercase();
        let weight = pieces.find_map(|p| p.strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
        let lang = match tag.split('-').next() {
            Some("en") => Lang::En,
            Some("zh") => Lang::Zh,
            _ => continue,
        };
        if weight > best.0 {
            best = (weight, lang);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::{HeaderMap, Lang, header, preferred};

    #[test]
    fn the_language_with_the_highest_weight_wins() {
        let table = [
            ("", Lang::En),
            ("zh-CN", Lang::Zh),
            ("zh", Lang::Zh),
            ("en-GB,en;q=0.9,zh-CN;q=0.8", Lang::En),
            ("de,zh-CN;q=0.8,en;q=0.5", Lang::Zh),
            ("en;q=0.1, zh;q=0.7", Lang::Zh),
            ("fr", Lang::En),
            ("zh;q=0", Lang::En),
        ];
        for (wanted, lang) in table {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, wanted.parse().expect("a header"));
            assert_eq!(preferred(&headers), lang, "{wanted}");
        }
    }
}
