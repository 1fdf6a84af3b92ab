//! What an object store refuses, in a sentence: servers answer with XML, and libraries with what they went through.

use std::error::Error;

/// What is said of a bucket that is not there.
pub(crate) const NO_BUCKET: &str = "there is no such bucket";

/// What can be done about it, by what the text of an error has in it.
const KNOWN: [(&str, &str); 4] = [
    (
        "URL scheme is not allowed",
        "the server has no encryption (http://); AWS_ALLOW_HTTP=true allows that (of Azure AZURE_ALLOW_HTTP=true)",
    ),
    ("169.254.169.254", "there are no keys: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"),
    ("metadata.google.internal", "there are no keys: GOOGLE_APPLICATION_CREDENTIALS is not set"),
    ("NoSuchBucket", NO_BUCKET),
];

/// The reason, in one line.
pub(crate) fn reason(e: &(dyn Error + 'static)) -> String {
    let text = line(&e.to_string());
    let mut deepest = line(&e.to_string());
    let mut all = text.clone();
    let mut source = e.source();
    while let Some(e) = source {
        deepest = line(&e.to_string());
        all = format!("{all} {deepest}");
        source = e.source();
    }
    // without a word of why: a URL that its client does not take
    let is_known = |text: &str| all.contains(text) || text == KNOWN[0].0 && all.contains("builder error");
    if let Some((_, told)) = KNOWN.iter().find(|(text, _)| is_known(text)) {
        return (*told).to_owned();
    }
    if let (Some(code), Some(message)) = (element(&all, "Code"), element(&all, "Message")) {
        return format!("the server says: {message} ({code})");
    }
    if text.contains(&deepest) { text } else { format!("{text}: {deepest}") }
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is in an element of XML.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn servers_are_understood() {
        let of = |text: &str| {
            reason(&*Box::<dyn std::error::Error + Send + Sync>::from(text)
                as &(dyn std::error::Error + 'static))
        };
        let bucket = "Generic S3 error: 404: <?xml?>\n<Error><Code>NoSuchBucket</Code><Message>The bucket ..</Message></Error>";
        assert_eq!(of(bucket), "there is no such bucket");
        assert!(of("Generic S3 error: HTTP error: builder error").contains("AWS_ALLOW_HTTP=true"));
        let key =
            "403: <Error><Code>InvalidAccessKeyId</Code><Message>The key does not exist</Message></Error>";
        assert_eq!(of(key), "the server says: The key does not exist (InvalidAccessKeyId)");
        assert_eq!(of("a\n  b"), "a b");
    }
}
