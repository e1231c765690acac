//! The reversible functions of a whole file, for tools that read source text.

use crate::attribute::{self, Marks};
use crate::device;
use crate::expand::{self, Directions, Options};
use crate::visit::{self, Visit};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, ImplItemFn, ItemFn, Meta, Signature, TraitItemFn, Type, Visibility};

/// A function that carries an attribute whose path ends in `reversible`.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its name below the file: `f`, `module::f`, `Type::f`, `outer::f`.
    pub name: String,
    /// All of it, attributes and documentation among it.
    pub span: Span,
    /// The name in its signature.
    pub ident: Ident,
    attribute: Attribute,
    visibility: Visibility,
    function: TraitItemFn,
}

/// The reversible functions of a file, from its top to its bottom:
/// free ones, those of `impl` and `trait` blocks, and those in modules and in
/// the bodies of other functions.
pub fn reversible(file: &syn::File) -> Vec<Found> {
    let mut finder = Finder::default();
    finder.visit_file(file);
    finder.found
}

impl Found {
    /// Whether `name` means this function: its whole name, or the last parts of it.
    pub fn is_named(&self, name: &str) -> bool {
        self.name
            .strip_suffix(name)
            .is_some_and(|before| before.is_empty() || before.ends_with("::"))
    }

    /// What the attribute makes of the function.
    pub fn compile(&self, options: Options) -> syn::Result<Directions> {
        let marks = self.marks()?;
        expand::compile(self.visibility.clone(), self.function.clone(), marks, options)
    }

    /// Its text for a device, if it runs on one.
    pub fn on_device(&self, options: Options) -> syn::Result<Option<String>> {
        let marks = self.marks()?;
        if !marks.gpu {
            return Ok(None);
        }
        let (visibility, function) = (self.visibility.clone(), self.function.clone());
        let directions = expand::compile_for_device(visibility, function, marks, options)?;
        device::readable(&directions).map(Some)
    }

    fn marks(&self) -> syn::Result<Marks> {
        Ok(match &self.attribute.meta {
            Meta::Path(_) => Marks::default(),
            Meta::List(list) => attribute::parse_marks(list.tokens.clone())?,
            // Rustc itself rejects `#[reversible = …]`; the argument says why.
            Meta::NameValue(pair) => attribute::parse_marks(pair.value.to_token_stream())?,
        })
    }
}

/// Walks through the file, and knows the names of what it stands in.
#[derive(Default)]
struct Finder {
    path: Vec<String>,
    found: Vec<Found>,
}

impl Finder {
    fn within(&mut self, name: impl ToString, walk: impl FnOnce(&mut Self)) {
        self.path.push(name.to_string());
        walk(self);
        self.path.pop();
    }

    fn take(&mut self, span: Span, visibility: &Visibility, mut function: TraitItemFn) {
        let Some(at) = function.attrs.iter().position(is_reversible) else { return };
        let attribute = function.attrs.remove(at);
        let ident = function.sig.ident.clone();
        let mut name = self.path.clone();
        name.push(ident.to_string());
        self.found.push(Found {
            name: name.join("::"),
            span,
            ident,
            attribute,
            visibility: visibility.clone(),
            function,
        });
    }
}

fn is_reversible(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "reversible")
}

/// Every kind of function in the shape that the compiler takes.
fn function(attrs: &[Attribute], sig: &Signature, body: &syn::Block) -> TraitItemFn {
    TraitItemFn {
        attrs: attrs.to_vec(),
        modifiers: Default::default(),
        sig: sig.clone(),
        default: Some(body.clone()),
        semi_token: None,
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        self.take(item.span(), &item.vis, function(&item.attrs, &item.sig, &item.block));
        self.within(&item.sig.ident, |finder| visit::visit_item_fn(finder, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        self.take(item.span(), &item.vis, function(&item.attrs, &item.sig, &item.block));
        self.within(&item.sig.ident, |finder| visit::visit_impl_item_fn(finder, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        self.take(item.span(), &Visibility::Inherited, item.clone());
        self.within(&item.sig.ident, |finder| visit::visit_trait_item_fn(finder, item));
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        self.within(&item.ident, |finder| visit::visit_item_mod(finder, item));
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        self.within(&item.ident, |finder| visit::visit_item_trait(finder, item));
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let name = match &*item.self_ty {
            // Without its module and its generic arguments, as one speaks of it.
            Type::Path(ty) if ty.qself.is_none() => {
                ty.path.segments.last().map(|segment| segment.ident.to_string())
            }
            _ => None,
        };
        let name = name.unwrap_or_else(|| crate::text::of(&item.self_ty));
        self.within(name, |finder| visit::visit_item_impl(finder, item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let file = syn::parse_file(source).unwrap();
        reversible(&file).into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn finds_functions_wherever_they_stand() {
        let source = "
            #[reversible] fn free() {}
            fn plain() { #[retrograde::reversible] fn local() {} }
            mod inner { mod deep { #[reversible] pub fn nested() {} } }
            impl<T> a::Body<T> { #[reversible(associated)] fn method() {} fn not() {} }
            impl Layer for [f64] { #[reversible] fn apply(&self) {} }
            trait Layer { #[reversible] fn apply(&self); }
            #[irreversible] fn other() {}
            #[reversible::not] fn another() {}
            const C: fn() = { #[reversible] fn hidden() {} hidden };
        ";
        let expected = [
            "free",
            "plain::local",
            "inner::deep::nested",
            "Body::method",
            "[f64]::apply",
            "Layer::apply",
            "hidden",
        ];
        assert_eq!(names(source), expected);
    }

    #[test]
    fn a_name_may_leave_out_what_stands_before() {
        let source = "mod inner { impl Body { #[reversible] fn drift(&mut self) {} } }";
        let file = syn::parse_file(source).unwrap();
        let found = &reversible(&file)[0];
        for name in ["drift", "Body::drift", "inner::Body::drift"] {
            assert!(found.is_named(name), "{name}");
        }
        for name in ["rift", "body::drift", "inner::drift", "Body", ""] {
            assert!(!found.is_named(name), "{name}");
        }
    }

    #[test]
    fn a_wrong_argument_of_the_attribute_is_a_mistake() {
        for source in ["#[reversible(twice)] fn f() {}", "#[reversible = 1] fn f() {}"] {
            let file = syn::parse_file(source).unwrap();
            let error = reversible(&file)[0].compile(Options::default()).err().unwrap();
            assert!(error.to_string().contains("and no other"));
        }
    }
}
