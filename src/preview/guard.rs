//! Who may ask. The server is for the browser of this machine: any page of the web could make that browser ask as well, and a name
//! of the web can be made to lead here, so the names in `Host` and `Origin` must be ours.

/// The headers that say who asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asker<'h> {
    /// `Host`: whom the asker believes to be talking to.
    pub host: Option<&'h str>,
    /// `Origin`: the page that asks, where the browser says it.
    pub origin: Option<&'h str>,
    /// `Sec-Fetch-Site`: whether that page is ours.
    pub site: Option<&'h str>,
}

/// The names of this machine.
const OURS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Why a request is refused, in words for whoever made it. None when it may be answered.
pub fn refusal(asker: Asker<'_>, port: u16) -> Option<&'static str> {
    let ours = |name: &str| OURS.iter().any(|own| name.eq_ignore_ascii_case(&format!("{own}:{port}")));
    let of_ours = |origin: &str| origin.strip_prefix("http://").is_some_and(ours);
    if !asker.host.is_some_and(ours) {
        return Some("this server answers to the name 127.0.0.1 or localhost only");
    }
    if asker.origin.is_some_and(|origin| !of_ours(origin)) {
        return Some("this server answers its own page only");
    }
    (asker.site == Some("cross-site")).then_some("this server answers its own page only")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_by_its_own_names_is_answered() {
        let of = |host, origin, site| refusal(Asker { host, origin, site }, 4108).is_none();
        for host in ["127.0.0.1:4108", "localhost:4108", "LocalHost:4108", "[::1]:4108"] {
            assert!(of(Some(host), None, None), "{host}");
        }
        for host in
            ["127.0.0.1", "127.0.0.1:80", "evil.example:4108", "127.0.0.1.evil.example:4108", "localhost:4108@x", ""]
        {
            assert!(!of(Some(host), None, None), "{host}");
        }
        assert!(!of(None, None, None), "a request without a host");
    }

    #[test]
    fn other_pages_are_refused() {
        let of = |origin, site| refusal(Asker { host: Some("127.0.0.1:4108"), origin, site }, 4108).is_none();
        assert!(of(Some("http://127.0.0.1:4108"), Some("same-origin")) && of(None, Some("none")));
        for origin in ["https://evil.example", "http://127.0.0.1:9", "null", "http://127.0.0.1:4108.evil.example"] {
            assert!(!of(Some(origin), None), "{origin}");
        }
        assert!(!of(None, Some("cross-site")));
    }
}
