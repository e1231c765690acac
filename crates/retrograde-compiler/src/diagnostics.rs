//! Errors are collected and reported all at once.

use proc_macro2::Span;
use quote::ToTokens;

/// The mistakes of one function. Must be emptied with [`Diagnostics::finish`].
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<syn::Error>,
    finished: bool,
}

impl Diagnostics {
    /// Reports a mistake: where, why it cannot be, and what to write instead.
    pub fn error(&mut self, at: impl ToTokens, reason: impl AsRef<str>, help: impl AsRef<str>) {
        let message = format!("{}\nhelp: {}", reason.as_ref(), help.as_ref());
        self.errors.push(syn::Error::new_spanned(at, message));
    }

    /// As [`Diagnostics::error`], where there is only a span.
    pub fn error_at(&mut self, at: Span, reason: impl AsRef<str>, help: impl AsRef<str>) {
        let message = format!("{}\nhelp: {}", reason.as_ref(), help.as_ref());
        self.errors.push(syn::Error::new(at, message));
    }

    /// Drops reports that were made before, of the same place.
    pub fn keep_first_of_each(&mut self) {
        let mut seen = Vec::new();
        self.errors.retain(|error| {
            let report =
                (error.span().start().line, error.span().start().column, error.to_string());
            let new = !seen.contains(&report);
            seen.push(report);
            new
        });
    }

    /// All mistakes as one error, in the order of their lines.
    pub fn finish(mut self) -> syn::Result<()> {
        self.finished = true;
        let mut errors = std::mem::take(&mut self.errors);
        errors.sort_by_key(|e| (e.span().start().line, e.span().start().column));
        match errors.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        }) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        if !self.finished && !std::thread::panicking() {
            panic!("diagnostics were dropped without being reported");
        }
    }
}
