//! Views, `let row = &x[a..b];`: other names of a place, and of its shadow.
//!
//! What a method gives is a value, unless it is known to be a view: by the type
//! that it is declared with, `let cell: &f64 = grid.cell(i);`, or by its name.

use super::expression::silent;
use super::{Differentiator, build};
use crate::effects;
use crate::ir::{Binding, Block, Kind as Do, Statement};
use crate::kinds::Kind;
use crate::names::pattern_names;
use crate::place::{Access, Step, access, reads};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::{Expr, Pat, Type};

/// Methods that give parts of a place to be read, and what gives the same parts
/// to be written.
const READING: [(&str, &str); 6] = [
    ("as_slice", "as_mut_slice"),
    ("column", "column_mut"),
    ("row", "row_mut"),
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
        let (pattern, ty) = match &binding.pattern {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        let value = readable_parts(&binding.value, ty);
        let viewed = value.as_ref().unwrap_or(&binding.value);
        let Some((place, _)) = self.names.view(viewed).or_else(|| self.names.view(&binding.value))
        else {
            return false;
        };
        out.push(statement.clone());
        let names = pattern_names(pattern);
        let by_method = matches!(viewed, Expr::MethodCall(_));
        let kind = match ty {
            Some(ty) => self.kinds.of_type(ty),
            None if by_method => self.part_kind(viewed),
            None => self.kinds.of_expr(&binding.value),
        };
        let roots = self.roots(&place.root);
        for name in &names {
            self.viewed.insert(name.clone(), roots.clone());
        }
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
        let told = matches!(ty, Some(Type::Reference(_) | Type::Tuple(_)));
        if value.is_some()
            && !told
            && let Some(Statement { kind: Do::Bind(binding), .. }) = out.last_mut()
        {
            binding.value = super::claim::of_view(&binding.value);
        }
        let shared = self.is_shared(&names, &place, binding, rest);
        if shared && let Some(parts) = self.halves(&binding.value, pattern) {
            for (pattern, shadow) in parts {
                self.take_apart(&pattern, &kind, shadow);
            }
        } else if (!shared || by_method) && takes_fields(pattern) {
            // A view of the shadow, and its fields, of which some may be `#[constant]`.
            let fresh = self.numbered("d");
            self.pointers.insert(fresh.clone());
            let value = build::lent(build::dereferenced(shadow));
            let view = Binding { pattern: build::pattern(&fresh), value, verify: false };
            out.push(silent(statement, Do::Bind(view)));
            self.refer_to_parts(pattern, &names, &kind, build::name(&fresh));
        } else if !shared || by_method && !matches!(pattern, Pat::Ident(_)) {
            // A view of the shadow, which is then lent as the place itself is.
            let mut renamed = pattern.clone();
            for name in &names {
                let fresh = self.fresh(&format!("d_{name}"));
                rename(&mut renamed, name, &fresh);
                self.kinds.declare(name, kind.clone());
                self.kinds.declare(&fresh, kind.clone());
                self.pointers.insert(fresh.clone());
                self.shadows.insert(name.clone(), Some(build::name(&fresh)));
            }
            let value = match crate::place::bare_name(&shadow) {
                Some(_) => build::lent(build::dereferenced(shadow)),
                None => shadow,
            };
            let view = Binding { pattern: renamed, value, verify: false };
            out.push(silent(statement, Do::Bind(view)));
        } else {
            // The names are references into the place, which is asked for again
            // wherever they are used.
            let shadow = if by_method { build::dereferenced(shadow) } else { shadow };
            self.refer_to_parts(pattern, &names, &kind, shadow);
        }
        true
    }

    /// Declares the names of a pattern that are references: the shadow of each refers to a part
    /// of `shadow`.
    fn refer_to_parts(&mut self, pattern: &Pat, names: &[Ident], kind: &Kind, shadow: Expr) {
        self.take_apart(pattern, kind, shadow);
        for name in names {
            if let Some(Some(part)) = self.shadows.get(name).cloned() {
                self.shadows.insert(name.clone(), Some(build::lent(part)));
            }
        }
    }

    /// The two parts of `x.split_at(k)` as ranges of the shadow.
    fn halves(&mut self, value: &Expr, pattern: &Pat) -> Option<Vec<(Pat, Expr)>> {
        let (Expr::MethodCall(call), Pat::Tuple(names)) = (value, pattern) else { return None };
        if call.method != "split_at" || names.elems.len() != 2 {
            return None;
        }
        let (shadow, at) = (build::base(self.shadow(&call.receiver)?), call.args.first()?);
        let [left, right]: [Expr; 2] = [syn::parse_quote!(..#at), syn::parse_quote!(#at..)];
        let part = |range| build::lent(build::index(shadow.clone(), range));
        Some(vec![(names.elems[0].clone(), part(left)), (names.elems[1].clone(), part(right))])
    }

    /// The kind of the parts that a method gives.
    fn part_kind(&self, call: &Expr) -> Kind {
        let Expr::MethodCall(call) = call else { return Kind::Unknown };
        match call.method.to_string().as_str() {
            "split_at_mut" | "as_mut_slice" => self.kinds.of_expr(&call.receiver),
            _ => Kind::Unknown,
        }
    }

    /// Whether the viewed variable is used by another name while the view lives.
    fn is_shared(
        &self,
        names: &[Ident],
        place: &Access,
        binding: &Binding,
        rest: &[Statement],
    ) -> bool {
        let end = rest.iter().position(|s| matches!(&s.kind, Do::Unbind(b) if b == binding));
        let scope = &rest[..end.unwrap_or(rest.len())];
        self.uses_otherwise(scope, place, names.iter().cloned().collect())
    }

    /// Whether the gradients of statements touch a place, other than by the names
    /// `own`.
    pub(super) fn uses_otherwise(
        &self,
        statements: &[Statement],
        place: &Access,
        own: HashSet<Ident>,
    ) -> bool {
        Uses { differentiator: self, place, own }.block(statements)
    }

    /// Whether two places may share memory.
    pub(super) fn may_meet(&self, a: &Access, b: &Access) -> bool {
        if self.viewed.contains_key(&a.root) || self.viewed.contains_key(&b.root) {
            let roots = self.roots(&b.root);
            return self.roots(&a.root).iter().any(|root| roots.contains(root));
        }
        // Rust tells fields apart, but not elements.
        let behind = self.names.resolve(b);
        self.names.resolve(a).iter().any(|a| {
            behind.iter().filter(|b| b.root == a.root).any(|b| {
                let mut steps = a.path.iter().zip(&b.path);
                let differ = steps.find(|(a, b)| a != b || !matches!(a, Step::Field(_)));
                !matches!(differ, Some((Step::Field(_), Step::Field(_))))
            })
        })
    }
}

/// A search for other uses of a variable than by some names.
struct Uses<'u, 'a> {
    differentiator: &'u Differentiator<'a>,
    place: &'u Access,
    own: HashSet<Ident>,
}

impl Uses<'_, '_> {
    fn meets(&self, access: &Access) -> bool {
        !self.own.contains(&access.root)
            && !access.path.contains(&Step::Shape)
            && self.differentiator.may_meet(access, self.place)
    }

    /// Names for what is behind one of ours are ours too.
    fn declare(&mut self, place: &Access, pattern: &Pat) {
        if self.own.contains(&place.root) {
            self.own.extend(pattern_names(pattern));
        }
    }

    fn block(&mut self, statements: &[Statement]) -> bool {
        statements.iter().any(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            Do::Bind(binding) => match access(&binding.value) {
                Some(place) => {
                    self.declare(&place, &binding.pattern);
                    self.meets(&place)
                }
                None => reads(&binding.value).iter().any(|read| self.meets(read)),
            },
            Do::For { pattern, sequence, body, .. } => {
                let leaves = super::sequence::containers(pattern, sequence);
                let met = leaves.iter().any(|(_, place)| self.meets(place));
                for (pattern, place) in &leaves {
                    self.declare(place, pattern);
                }
                met || self.block(body)
            }
            Do::If { arms, otherwise } => {
                arms.iter().any(|arm| self.block(&arm.body))
                    || otherwise.iter().any(|body| self.block(body))
            }
            Do::While { body, .. } | Do::Block(body) => self.block(body),
            _ => {
                let effects = effects::of(statement, self.differentiator.names);
                effects.reads.iter().any(|read| self.meets(read))
                    || effects.writes.iter().any(|write| self.meets(&write.access))
            }
        }
    }
}

/// Whether a pattern takes a struct apart, or something that has a name itself.
fn takes_fields(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.subpat.is_some(),
        Pat::Struct(_) | Pat::TupleStruct(_) => true,
        Pat::Tuple(tuple) => tuple.elems.iter().any(takes_fields),
        Pat::Slice(slice) => slice.elems.iter().any(takes_fields),
        Pat::Reference(inner) => takes_fields(&inner.pat),
        Pat::Paren(inner) => takes_fields(&inner.pat),
        Pat::Type(typed) => takes_fields(&typed.pat),
        _ => false,
    }
}

/// `x.split_at(k)` as `x.split_at_mut(k)`: what is declared to be of a type `ty`.
fn readable_parts(value: &Expr, ty: Option<&Type>) -> Option<Expr> {
    let Expr::MethodCall(call) = value else { return None };
    let name = call.method.to_string();
    let known = READING.iter().find(|(reading, _)| *reading == name);
    let mutable = match (ty, known) {
        (Some(Type::Reference(ty)), None) if ty.mutability.is_none() => {
            format!("{}_mut", name.trim_start_matches("r#"))
        }
        (None | Some(Type::Reference(_) | Type::Tuple(_)), Some((_, mutable))) => {
            (*mutable).to_string()
        }
        _ => return None,
    };
    let mut call = call.clone();
    call.method = Ident::new(&mutable, call.method.span());
    Some(Expr::MethodCall(call))
}

fn rename(pattern: &mut Pat, from: &Ident, to: &Ident) {
    struct Rename<'a>(&'a Ident, &'a Ident);
    impl crate::visit::VisitMut for Rename<'_> {
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            crate::visit::visit_field_pat_mut(self, field);
            crate::rename::spell_out(field);
        }
        fn visit_pat_ident_mut(&mut self, name: &mut syn::PatIdent) {
            if name.ident == *self.0 {
                name.ident = self.1.clone();
            }
        }
    }
    crate::visit::VisitMut::visit_pat_mut(&mut Rename(from, to), pattern);
}
