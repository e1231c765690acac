//! Where the gradient of a place is: the same path into the shadow of its root.

use super::Differentiator;
use super::build;
use crate::kinds::Kind;
use crate::place::{access, bare_name};
use proc_macro2::Ident;
use syn::{Expr, Member, UnOp};

/// The views of the library whose shadow is the same view of the shadow.
const LINEAR_VIEWS: [&str; 3] = ["conjugated", "inverted", "negated"];

impl Differentiator<'_> {
    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, wish: &str) -> Ident {
        let name = crate::adjoint::free_name(wish, &mut self.used);
        build::ident(&name.to_string())
    }

    /// A numbered name that nothing else has.
    pub(super) fn numbered(&mut self, letter: &str) -> Ident {
        loop {
            self.counter += 1;
            let name = format!("{letter}{}", self.counter);
            if self.used.insert(name.clone()) {
                return build::ident(&name);
            }
        }
    }

    /// Whether a name has a shadow.
    pub(super) fn has_shadow(&self, root: &Ident) -> bool {
        matches!(self.shadows.get(root), Some(Some(_)))
    }

    /// Whether a place carries a gradient.
    pub(super) fn is_active_place(&self, place: &Expr) -> bool {
        let Some(access) = access(place) else { return false };
        self.has_shadow(&access.root)
            && !access.path.contains(&crate::place::Step::Shape)
            && !self.kinds.of_expr(place).is_constant()
    }

    /// The shadow of a place: `d_x[i].a` of `x[i].a`.
    pub(super) fn shadow(&mut self, place: &Expr) -> Option<Expr> {
        Some(match place {
            Expr::Path(path) => self.shadows.get(path.path.get_ident()?)?.clone()?,
            Expr::Paren(e) => self.shadow(&e.expr)?,
            Expr::Group(e) => self.shadow(&e.expr)?,
            Expr::Reference(e) => build::lent(self.shadow(&e.expr)?),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => {
                build::dereferenced(self.shadow(&e.expr)?)
            }
            Expr::Field(e) => {
                let base = self.shadow(&e.base)?;
                self.field(base, e.member.clone())
            }
            Expr::Index(e) => build::index(self.shadow(&e.expr)?, (*e.index).clone()),
            Expr::MethodCall(e) => {
                let mut call = e.clone();
                *call.receiver = build::base(self.shadow(&e.receiver)?);
                Expr::MethodCall(call)
            }
            Expr::Call(e) => {
                let Expr::Path(function) = &*e.func else { return None };
                let last = function.path.segments.last()?.ident.to_string();
                let first = self.shadow(e.args.first()?)?;
                if last == "shifted" && !e.args.iter().skip(1).any(|by| self.is_active(by)) {
                    return Some(first);
                }
                if !LINEAR_VIEWS.contains(&last.as_str()) {
                    self.diagnostics.error(
                        e,
                        format!("what the view `{last}` makes of a gradient is not known"),
                        "use `negated`, `conjugated` or `inverted`, `shifted` by a constant, or \
                         mark the function `#[reversible(inverse_only)]`",
                    );
                    return None;
                }
                let mut call = e.clone();
                call.args[0] = first;
                Expr::Call(call)
            }
            _ => return None,
        })
    }

    /// A field of a gradient. The struct may say that it is `#[constant]`, which its type is
    /// asked where it is used.
    pub(super) fn field(&mut self, gradient: Expr, member: Member) -> Expr {
        if let Some(place) = access(&gradient) {
            self.with_fields.insert(&place.root);
        }
        build::field(gradient, member)
    }

    /// The shadow of a value that is read from a place: references followed.
    pub(super) fn shadow_of_value(&mut self, place: &Expr) -> Option<Expr> {
        let shadow = self.shadow(place)?;
        let reference = self.is_pointer(&shadow);
        // Where the type is unknown, the method that adds to it follows references.
        let scalar = self.kinds.of_expr(place) == Kind::Real;
        Some(if reference && scalar { build::dereferenced(shadow) } else { shadow })
    }

    /// Whether a shadow is a reference to where the gradient is.
    pub(super) fn is_pointer(&self, shadow: &Expr) -> bool {
        matches!(shadow, Expr::Reference(_))
            || bare_name(shadow).is_some_and(|name| self.pointers.contains(name))
    }

    /// The shadow of a place is written: it may be zero no more.
    pub(super) fn written(&mut self, place: &Expr) {
        if let Some(access) = access(place) {
            let roots = self.roots(&access.root);
            self.forget(&roots);
        }
    }

    /// The variables behind a place, aliases followed.
    pub(super) fn roots(&self, root: &Ident) -> Vec<Ident> {
        if let Some(roots) = self.viewed.get(root) {
            return roots.clone();
        }
        let resolved = self.names.resolve(&crate::place::Access::whole(root));
        // A view that is not known as an alias may be behind one that is.
        let root = |access: crate::place::Access| match self.viewed.get(&access.root) {
            Some(roots) => roots.clone(),
            None => vec![access.root],
        };
        resolved.into_iter().flat_map(root).collect()
    }

    /// Whether the gradient of everything behind a name is known to be zero.
    pub(super) fn is_zero(&self, root: &Ident) -> bool {
        self.roots(root).iter().all(|root| self.zero.contains(root) || !self.has_shadow(root))
    }
}
