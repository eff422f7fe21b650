//! Calls of foreign readers that count on sound files here and there: what breaks one down is a fault of the file, not of the program.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What `work` returns; none when it panics, which is then not printed. Use it at the narrowest place there is, and make a finding of
/// none.
pub fn careful<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                usual(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    done.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_down_is_none_and_the_rest_goes_on() {
        let none: [u8; 0] = [];
        let at = none.len();
        assert_eq!(careful(|| none[at]), None);
        assert_eq!(careful(|| 1), Some(1));
        assert!(!QUIET.get());
    }
}
