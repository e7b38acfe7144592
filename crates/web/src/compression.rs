//! Pages and files travel compressed to other machines.
//!
//! On this machine the wire costs nothing, and compressing would only keep people waiting. What comes by the live connection
//! is small and is not compressed.

use std::io::Write as _;
use std::net::SocketAddr;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::routes::is_forwarded;

/// Less than this fits into a packet or two anyway.
const WORTH_IT: u64 = 2 << 10;

/// Compresses an answer where that is worth it and the one who asked can read it.
pub async fn compress(request: Request, next: Next) -> Response {
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let is_near = from.is_some_and(|from| from.is_loopback()) && !is_forwarded(request.headers());
    let wanted = !is_near && takes_gzip(request.headers());
    let answer = next.run(request).await;
    if wanted && is_worth_it(&answer) { compressed(answer).await } else { answer }
}

/// Whether a browser takes gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let offers = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    offers.flat_map(|text| text.split(',')).any(|offer| {
        let mut words = offer.split(';').map(str::trim);
        let is_gzip = words.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let refused = words.any(|word| word.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0)));
        is_gzip && !refused
    })
}

/// Whether an answer is text, long, and not compressed yet.
fn is_worth_it(answer: &Response) -> bool {
    let headers = answer.headers();
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text =
        kind.starts_with("text/") || kind.starts_with("application/json") || kind.starts_with("image/svg");
    answer.status() == StatusCode::OK
        && is_text
        && !headers.contains_key(header::CONTENT_ENCODING)
        && answer.body().size_hint().exact().is_some_and(|size| size >= WORTH_IT)
}

async fn compressed(answer: Response) -> Response {
    let (mut head, body) = answer.into_parts();
    // The body is in memory already: it has an exact size.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        head.status = StatusCode::INTERNAL_SERVER_ERROR;
        return Response::from_parts(head, Body::empty());
    };
    // Some milliseconds of work for a large page: others do not wait for it.
    let raw = bytes.clone();
    let packed = tokio::task::spawn_blocking(move || pack(&raw)).await;
    head.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    let Ok(Ok(packed)) = packed else { return Response::from_parts(head, Body::from(bytes)) };
    head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(packed))
}

fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::response::{Html, IntoResponse as _};
    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn only_who_takes_gzip_gets_it() {
        for (offer, taken) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("br", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(offer))]);
            assert_eq!(takes_gzip(&headers), taken, "{offer:?}");
        }
    }

    #[tokio::test]
    async fn a_long_page_comes_out_as_it_went_in() {
        let text = "<p>hex</p>".repeat(1_000);
        let short = Html("<p>hex</p>").into_response();
        assert!(!is_worth_it(&short));
        let page = Html(text.clone()).into_response();
        assert!(is_worth_it(&page));
        let packed = compressed(page).await;
        assert!(!is_worth_it(&packed), "once is enough");
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
        let bytes = to_bytes(packed.into_body(), usize::MAX).await.expect("a body");
        assert!(bytes.len() < text.len() / 10, "{} bytes", bytes.len());
        let mut unpacked = String::new();
        GzDecoder::new(&*bytes).read_to_string(&mut unpacked).expect("gzip");
        assert_eq!(unpacked, text);
    }
}
