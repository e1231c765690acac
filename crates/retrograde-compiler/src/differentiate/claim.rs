//! What is taken for granted by a name or an operator is claimed of its type: that
//! what asks for a shape, a test or bits gives nothing that carries a gradient, that
//! `floor`, `clamp` and the like, and `T::max`, are those of numbers, and that
//! `Complex::new` makes a complex number; and that what a `match` takes out of a value
//! carries no gradient. Where it is not so, the program does not compile. That `clone`
//! gives the same again is compared.

use super::{Differentiator, build};
use crate::effects;
use crate::functions;
use crate::ir::{Binding, Block, Callee, Kind as Do, Statement};
use crate::kinds::{Kind, Kinds};
use crate::matching;
use crate::names::{Names, pattern_names};
use crate::optimise::declare;
use crate::place::{Access, reads};
use crate::text::is_one_of;
use crate::visit::{Visit, VisitMut};
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprMethodCall, UnOp};

/// Claims that leave a gradient as it is.
const TRANSPARENT: [&str; 5] = ["arithmetic", "complex", "copied", "number", "view"];

/// Claims that there is none.
const OPAQUE: [&str; 2] = ["constant", "matched"];

/// What slices, arrays and vectors have of their own.
const OF_SEQUENCES: [&str; 4] = ["capacity", "contains", "is_empty", "len"];

/// Functions that make a number of its bits.
const FROM_BITS: [&str; 4] = ["from_be_bytes", "from_bits", "from_le_bytes", "from_ne_bytes"];

/// The names of integers and the like that are made of what may carry a gradient: of its bits,
/// say.
pub(super) fn of_numbers(
    block: &Block,
    kinds: &Kinds,
    shadows: &Shadows,
    constants: &HashSet<Ident>,
    names: &Names,
) -> HashSet<Ident> {
    let mut found = HashSet::new();
    if !makes_numbers_of_bits(block) {
        return found;
    }
    let mut kinds = kinds.clone();
    loop {
        let known = found.len();
        made_of_numbers(block, &mut kinds, shadows, constants, names, &mut found);
        if found.len() == known {
            return found;
        }
    }
}

/// Whether somewhere a number is made of its bits.
fn makes_numbers_of_bits(block: &Block) -> bool {
    struct Search(bool);
    impl<'e> Visit<'e> for Search {
        fn visit_expr_path(&mut self, path: &'e syn::ExprPath) {
            let last = path.path.segments.last();
            self.0 |= last.is_some_and(|last| is_one_of(&last.ident, &FROM_BITS));
        }
    }
    let mut search = Search(false);
    for statement in block {
        statement.own_expressions().into_iter().for_each(|expr| search.visit_expr(expr));
        search.0 |= statement.blocks().into_iter().any(makes_numbers_of_bits);
    }
    search.0
}

fn made_of_numbers(
    block: &Block,
    kinds: &mut Kinds,
    shadows: &Shadows,
    constants: &HashSet<Ident>,
    names: &Names,
    found: &mut HashSet<Ident>,
) {
    for statement in block {
        let (made, values): (Vec<Ident>, Vec<&Expr>) = match &statement.kind {
            Do::Bind(Binding { pattern, value, .. }) => (pattern_names(pattern), vec![value]),
            Do::Allocate(ancilla) => (vec![ancilla.name.clone()], vec![&ancilla.value]),
            Do::Update { .. } | Do::Call(_) => {
                let writes = effects::of(statement, names).writes.into_iter();
                let roots = writes.flat_map(|write| names.roots(&write.access.root).to_vec());
                (roots.collect(), statement.own_expressions())
            }
            _ => (Vec::new(), Vec::new()),
        };
        let carries = |read: Access| {
            let unknown = || !kinds.of_expr(&read.expr).is_constant();
            found.contains(&read.root)
                || shadows.get(&read.root).map_or_else(unknown, Option::is_some) && unknown()
        };
        if values.into_iter().flat_map(reads).any(carries) {
            found.extend(made.into_iter().filter(|name| !constants.contains(name)));
        }
        declare(kinds, statement);
        for inner in statement.blocks() {
            made_of_numbers(inner, kinds, shadows, constants, names, found);
        }
    }
}

/// The shadow of each name in scope; `None` for one that carries no gradient.
pub(super) type Shadows = HashMap<Ident, Option<Expr>>;

impl Differentiator<'_> {
    /// The statement, with such claims in its expressions.
    pub(super) fn claimed(&self, statement: &Statement) -> Statement {
        let mut claims = Claims {
            kinds: &self.kinds,
            shadows: &self.shadows,
            by_name: &self.by_name,
            of_numbers: &self.of_numbers,
            ancilla: false,
            losing: false,
        };
        let claimed = claims.of_statement(statement, &self.constants);
        build::stand_at(statement.span);
        claimed
    }

    /// The statement, with the claims in the blocks inside that values carry no gradient, without
    /// which one could be lost.
    pub(super) fn claimed_inside(&self, statement: &Statement) -> Statement {
        let mut statement = statement.clone();
        for block in statement.blocks_mut() {
            self.claim_in_block(block, &self.kinds, &self.shadows);
        }
        statement
    }

    fn claim_in_block(&self, block: &mut Block, kinds: &Kinds, shadows: &Shadows) {
        let (mut kinds, mut shadows) = (kinds.clone(), shadows.clone());
        for statement in block.iter_mut().filter(|statement| !statement.generated) {
            let mut claims = Claims {
                kinds: &kinds,
                shadows: &shadows,
                by_name: &self.by_name,
                of_numbers: &self.of_numbers,
                ancilla: false,
                losing: true,
            };
            let constant = match &statement.kind {
                Do::Bind(Binding { pattern, value, .. })
                | Do::For { pattern, sequence: value, .. } => {
                    (!claims.may_carry(value)).then(|| pattern_names(pattern))
                }
                _ => None,
            };
            *statement = claims.of_statement(statement, &self.constants);
            declare(&mut kinds, statement);
            shadows.extend(constant.into_iter().flatten().map(|name| (name, None)));
            for inner in statement.blocks_mut() {
                self.claim_in_block(inner, &kinds, &shadows);
            }
        }
    }
}

/// What a claim is about that leaves the gradient as it is, if an expression is one.
pub(super) fn inside(expr: &Expr) -> Option<&Expr> {
    let (name, about) = claim(expr)?;
    TRANSPARENT.contains(&name.as_str()).then_some(about)
}

/// Claims that a method gives a part of its receiver.
pub(super) fn of_view(part: &Expr) -> Expr {
    build::stand_at(match part {
        Expr::MethodCall(call) => call.method.span(),
        other => other.span(),
    });
    build::library(&["__private", "view"], vec![part.clone()])
}

/// The name of a claim, and what it is about.
pub fn claim(expr: &Expr) -> Option<(String, &Expr)> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    if !build::is_library(expr)
        || !(TRANSPARENT.contains(&name.as_str()) || OPAQUE.contains(&name.as_str()))
    {
        return None;
    }
    let about = match call.args.first()? {
        Expr::MethodCall(reference) if reference.method == "__ref" => &reference.receiver,
        other => other,
    };
    Some((name, about))
}

struct Claims<'c> {
    kinds: &'c Kinds,
    shadows: &'c Shadows,
    by_name: &'c HashSet<Ident>,
    of_numbers: &'c HashSet<Ident>,
    /// Whether it is of a value that an ancilla starts with.
    ancilla: bool,
    /// Whether only that is claimed without which a gradient would be lost.
    losing: bool,
}

/// Whether a value is taken for an integer or the like by the name of a method or an operator
/// alone.
pub(super) fn is_constant_by_name(value: &Expr, kinds: &Kinds) -> bool {
    use BinOp::*;
    let of_unknown = |operand: &Expr| kinds.of_expr(operand) == Kind::Unknown;
    match value {
        Expr::Paren(e) => is_constant_by_name(&e.expr, kinds),
        Expr::MethodCall(e) => of_unknown(&e.receiver) && kinds.of_expr(value) == Kind::Constant,
        Expr::Binary(e) => {
            matches!(e.op, BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_))
                && (of_unknown(&e.left) || of_unknown(&e.right))
        }
        Expr::Unary(e) => matches!(e.op, UnOp::Not(_)) && of_unknown(&e.expr),
        _ => false,
    }
}

/// What is claimed.
enum Claim {
    /// Of the whole, that it carries no gradient.
    Constant,
    /// Of what a `match` takes out of a value, that it carries no gradient.
    Matched,
    /// Of the whole, that it is a complex number.
    Complex,
    /// Of the whole, that it is the same as the receiver.
    Copied,
    /// Of the receiver, by the name of a function.
    Receiver(&'static str),
    /// Of the first argument, that it is a number of the type before the function's name.
    FirstArgument,
    /// That what is called is a struct: `P { 0: a, 1: b }` for `P(a, b)`.
    Struct,
}

impl Claims<'_> {
    fn of_statement(&mut self, statement: &Statement, constants: &HashSet<Ident>) -> Statement {
        let mut statement = statement.clone();
        // What starts without a gradient may get one: then it must be a number that can.
        self.ancilla = matches!(&statement.kind, Do::Allocate(ancilla) | Do::Release(ancilla)
            if ancilla.ty.is_none());
        match &mut statement.kind {
            Do::Update { value, .. } => self.visit_expr_mut(value),
            Do::Bind(binding) | Do::Unbind(binding)
                if !pattern_names(&binding.pattern).iter().any(|n| constants.contains(n)) =>
            {
                self.visit_expr_mut(&mut binding.value);
            }
            Do::Allocate(ancilla) | Do::Release(ancilla) if !constants.contains(&ancilla.name) => {
                self.visit_expr_mut(&mut ancilla.value);
            }
            Do::For { sequence, .. } => self.visit_expr_mut(sequence),
            Do::Call(call) => {
                call.arguments.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                if let Callee::Method { receiver, .. } = &mut call.callee {
                    self.visit_expr_mut(receiver);
                }
            }
            _ => {}
        }
        statement
    }

    /// Whether a value may carry a gradient, and its type is not known.
    fn is_suspicious(&self, value: &Expr) -> bool {
        self.kinds.of_expr(value).is_open() && self.may_carry(value)
    }

    /// Whether something in it may carry a gradient. Names that nobody knows are those
    /// of the `let`s inside of an expression.
    fn may_carry(&self, value: &Expr) -> bool {
        !self.kinds.of_expr(value).is_constant() && self.reads_what_carries(value)
    }

    fn reads_what_carries(&self, value: &Expr) -> bool {
        let carries = |read: &Access| match self.shadows.get(&read.root) {
            Some(shadow) => shadow.is_some(),
            None => !super::call::is_constant(&build::name(&read.root)),
        };
        reads(value).iter().any(carries)
    }

    fn of(&self, expr: &Expr) -> Option<Claim> {
        if self.ancilla && is_constant_by_name(expr, self.kinds) {
            return Some(Claim::Constant);
        }
        match expr {
            Expr::Path(_) if self.ancilla => {
                let name = crate::place::bare_name(expr)?;
                self.by_name.contains(name).then_some(Claim::Constant)
            }
            Expr::MethodCall(e) => self.of_method(expr, e),
            Expr::Match(e) => {
                let carries = matching::is_made_here(expr) && self.reads_what_carries(&e.expr);
                carries.then_some(Claim::Matched)
            }
            Expr::Binary(e) => {
                use BinOp::*;
                let bits = matches!(e.op, BitAnd(_) | BitOr(_) | BitXor(_) | Shl(_) | Shr(_));
                let carries = self.may_carry(&e.left) || self.may_carry(&e.right);
                (bits && carries).then_some(Claim::Constant)
            }
            Expr::Unary(e) => {
                let not = matches!(e.op, UnOp::Not(_));
                (not && self.may_carry(&e.expr)).then_some(Claim::Constant)
            }
            Expr::Call(e) => {
                let Expr::Path(path) = &*e.func else { return None };
                let segments: Vec<_> = path.path.segments.iter().collect();
                let (last, before) = segments.split_last()?;
                let carries = || e.args.iter().any(|argument| self.may_carry(argument));
                // Its bits carry none, but the number that is made of them again would.
                if is_one_of(&last.ident, &FROM_BITS) {
                    let of_numbers = |read: Access| self.of_numbers.contains(&read.root);
                    let carries = |bits: &Expr| {
                        self.reads_what_carries(bits) || reads(bits).into_iter().any(of_numbers)
                    };
                    return e.args.iter().any(carries).then_some(Claim::Constant);
                }
                // `i64::from(n)`
                if self.kinds.of_expr(expr) == Kind::Constant {
                    return carries().then_some(Claim::Constant);
                }
                if last.ident.to_string().starts_with(char::is_uppercase) && !build::is_some(e) {
                    return carries().then_some(Claim::Struct);
                }
                let owner = before.last()?;
                let makes = crate::text::is_one_of(&last.ident, &["cis", "from_polar", "new"]);
                if crate::kinds::is_complex(&owner.ident) && makes {
                    return Some(Claim::Complex);
                }
                let of_a_type = functions::is_known(&last.ident.to_string())
                    && owner.ident.to_string().starts_with(char::is_uppercase)
                    && !self.kinds.is_number_type(&owner.ident);
                (of_a_type && !e.args.is_empty()).then_some(Claim::FirstArgument)
            }
            _ => None,
        }
    }

    fn of_method(&self, whole: &Expr, e: &ExprMethodCall) -> Option<Claim> {
        let name = e.method.to_string();
        let receiver = self.kinds.of_expr(&e.receiver);
        if self.kinds.of_expr(whole) == Kind::Constant {
            let of_a_slice =
                matches!(receiver, Kind::Sequence(_)) && OF_SEQUENCES.contains(&name.as_str());
            let carries = self.may_carry(&e.receiver) || e.args.iter().any(|a| self.may_carry(a));
            return (carries && !of_a_slice).then_some(Claim::Constant);
        }
        let of_reals = functions::JUMPS.contains(&name.as_str())
            || functions::OF_REALS.contains(&name.as_str());
        if of_reals && !receiver.is_number() && self.may_carry(&e.receiver) {
            return Some(Claim::Receiver("number"));
        }
        if !self.is_suspicious(&e.receiver) {
            return None;
        }
        if matches!(name.as_str(), "clone" | "to_owned") && e.args.is_empty() {
            return Some(Claim::Copied);
        }
        (name == "scaled").then_some(Claim::Receiver("arithmetic"))
    }
}

/// `number(value.__ref())`, of a type if it is known.
fn of_reference(claim: &str, value: &Expr, ty: Option<&syn::PathSegment>) -> Expr {
    let mut call = build::library(&["__private", claim], vec![super::referred(value.clone())]);
    if let (Expr::Call(call), Some(ty)) = (&mut call, ty)
        && let Expr::Path(path) = &mut *call.func
        && let Some(last) = path.path.segments.last_mut()
    {
        last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#ty>));
    }
    call
}

impl VisitMut for Claims<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if build::is_library(expr) {
            return;
        }
        let opaque = |claim: &Claim| matches!(claim, Claim::Constant | Claim::Matched);
        let claim = self.of(expr).filter(|claim| !self.losing || opaque(claim));
        // What has no gradient as a whole has none in its parts.
        if !claim.as_ref().is_some_and(opaque) {
            crate::visit::visit_expr_mut(self, expr);
        }
        let Some(claim) = claim else { return };
        let here = match &*expr {
            Expr::MethodCall(e) => e.method.span(),
            Expr::Binary(e) => e.op.span(),
            other => other.span(),
        };
        build::stand_at(here);
        match (claim, &mut *expr) {
            (Claim::Constant, whole) => {
                *whole = build::library(&["__private", "constant"], vec![whole.clone()]);
            }
            (Claim::Matched, whole) => {
                *whole = build::library(&["__private", "matched"], vec![whole.clone()]);
            }
            (Claim::Complex, whole) => {
                *whole = build::library(&["__private", "complex"], vec![whole.clone()]);
            }
            (Claim::Copied, Expr::MethodCall(e)) => {
                let original = super::referred((*e.receiver).clone());
                let copy = Expr::MethodCall(e.clone());
                // A panic names the line.
                *expr = syn::parse_quote_spanned!(here=>
                    ::retrograde::__private::copied(#copy, #original));
            }
            (Claim::Receiver(claim), Expr::MethodCall(e)) => {
                *e.receiver = of_reference(claim, &e.receiver, None);
            }
            (Claim::FirstArgument, Expr::Call(e)) => {
                if let Expr::Path(path) = &*e.func
                    && let Some(owner) = path.path.segments.iter().rev().nth(1)
                    && let Some(first) = e.args.first_mut()
                {
                    *first = of_reference("number", first, Some(owner));
                }
            }
            (Claim::Struct, Expr::Call(e)) => {
                if let Expr::Path(path) = &*e.func {
                    *expr = build::tuple_struct(path, e.args.iter().cloned());
                }
            }
            _ => {}
        }
    }

    // Its ends are integers, or there is no loop over it.
    fn visit_expr_range_mut(&mut self, _: &mut syn::ExprRange) {}
}
