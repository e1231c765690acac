//! Views, `let row = &x[a..b];`: other names of a place, and of its shadow.

use super::expression::silent;
use super::{Differentiator, build};
use crate::effects;
use crate::ir::{Binding, Block, Kind as Do, Statement};
use crate::names::pattern_names;
use crate::place::{Step, access};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Pat};

/// Methods that give parts of a place to be read, and what gives the same parts
/// to be written.
const READING: [(&str, &str); 4] = [
    ("as_slice", "as_mut_slice"),
    ("split_at", "split_at_mut"),
    ("split_first", "split_first_mut"),
    ("split_last", "split_last_mut"),
];

impl Differentiator<'_> {
    /// Declares a view; `false` if the binding is none.
    pub(super) fn view(
        &mut self,
        statement: &Statement,
        binding: &Binding,
        rest: &[Statement],
        out: &mut Block,
    ) -> bool {
        let pattern = match &binding.pattern {
            Pat::Type(typed) => &*typed.pat,
            other => other,
        };
        let value = readable_parts(&binding.value);
        let viewed = value.as_ref().unwrap_or(&binding.value);
        let Some((place, _)) = self.names.view(viewed).or_else(|| self.names.view(&binding.value))
        else {
            return false;
        };
        out.push(statement.clone());
        let names = pattern_names(pattern);
        let kind = self.kinds.of_expr(&binding.value);
        let constant = kind.is_constant()
            || !self.has_shadow(&place.root)
            || names.iter().any(|name| self.constants.contains(name));
        if constant {
            for name in names {
                self.kinds.declare(&name, kind.clone());
                self.shadows.insert(name, None);
            }
            return true;
        }
        let Some(shadow) = self.shadow(viewed) else { return true };
        let by_method = matches!(viewed, Expr::MethodCall(_));
        if by_method || !self.is_shared(&names, &place.root, binding, rest) {
            // A view of the shadow, which is then lent as the place itself is.
            let mut renamed = pattern.clone();
            for name in &names {
                let fresh = self.fresh(&format!("d_{name}"));
                rename(&mut renamed, name, &fresh);
                let kind = if by_method { self.part_kind(viewed) } else { kind.clone() };
                self.kinds.declare(name, kind.clone());
                self.kinds.declare(&fresh, kind);
                self.shadows.insert(name.clone(), Some(build::name(&fresh)));
            }
            let value = match crate::place::bare_name(&shadow) {
                Some(_) => build::lent(build::dereferenced(shadow)),
                None => shadow,
            };
            let view = Binding { pattern: renamed, value, verify: false };
            out.push(silent(statement, Do::Bind(view)));
        } else {
            self.take_apart(pattern, &kind, shadow);
        }
        true
    }

    /// The kind of the parts that a method gives.
    fn part_kind(&self, call: &Expr) -> crate::kinds::Kind {
        let Expr::MethodCall(call) = call else { return crate::kinds::Kind::Unknown };
        match call.method.to_string().as_str() {
            "split_at_mut" | "as_mut_slice" => self.kinds.of_expr(&call.receiver),
            _ => crate::kinds::Kind::Unknown,
        }
    }

    /// Whether the viewed variable is used by another name while the view lives.
    fn is_shared(
        &self,
        names: &[Ident],
        root: &Ident,
        binding: &Binding,
        rest: &[Statement],
    ) -> bool {
        let end = rest.iter().position(|s| matches!(&s.kind, Do::Unbind(b) if b == binding));
        let scope = &rest[..end.unwrap_or(rest.len())];
        let own: HashSet<&Ident> = names.iter().collect();
        self.uses_otherwise(scope, root, &own)
    }

    /// Whether statements touch the content of what is behind `root`, other than
    /// by some names.
    pub(super) fn uses_otherwise(
        &self,
        statements: &[Statement],
        root: &Ident,
        own: &HashSet<&Ident>,
    ) -> bool {
        let roots = self.roots(root);
        let shares = |name: &Ident| self.roots(name).iter().any(|r| roots.contains(r));
        // A name that is declared inside stands for what its declaration names.
        let mut local: HashSet<Ident> = HashSet::new();
        for statement in statements {
            if let Do::Bind(binding) = &statement.kind
                && let Some(place) = access(&binding.value)
                && (own.contains(&place.root) || local.contains(&place.root))
            {
                local.extend(pattern_names(&binding.pattern));
            }
            let effects = effects::of(statement, self.names);
            let accesses =
                effects.reads.iter().chain(effects.writes.iter().map(|write| &write.access));
            for access in accesses {
                let named = own.contains(&access.root) || local.contains(&access.root);
                let shape = access.path.contains(&Step::Shape);
                if !named && !shape && shares(&access.root) {
                    return true;
                }
            }
        }
        false
    }
}

/// `x.split_at(k)` as `x.split_at_mut(k)`.
fn readable_parts(value: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = value else { return None };
    let name = call.method.to_string();
    let (_, mutable) = READING.iter().find(|(reading, _)| *reading == name)?;
    let mut call = call.clone();
    call.method = Ident::new(mutable, call.method.span());
    Some(Expr::MethodCall(call))
}

fn rename(pattern: &mut Pat, from: &Ident, to: &Ident) {
    struct Rename<'a>(&'a Ident, &'a Ident);
    impl syn::visit_mut::VisitMut for Rename<'_> {
        fn visit_pat_ident_mut(&mut self, name: &mut syn::PatIdent) {
            if name.ident == *self.0 {
                name.ident = self.1.clone();
            }
        }
    }
    syn::visit_mut::VisitMut::visit_pat_mut(&mut Rename(from, to), pattern);
}
