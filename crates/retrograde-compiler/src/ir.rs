//! The intermediate representation: a reversible function as a list of
//! statements, each of which [`crate::invert`] knows the inverse of.
//!
//! Parsing makes everything explicit that the source leaves implied. A `let`
//! and a `let mut` are opened by [`Kind::Bind`] and [`Kind::Allocate`] and
//! closed by [`Kind::Unbind`] and [`Kind::Release`], so that a block is a flat
//! list and its inverse is the inverses of its statements in reverse order.

use crate::names::pattern_names;
use crate::place::{identifiers, mentions};
use crate::text::Source;
use proc_macro2::{Ident, Span, TokenStream};
use syn::token::Paren;
use syn::{Attribute, Expr, Item, Pat, Signature, Type, Visibility};

/// A reversible function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Attributes other than our own, doc comments among them.
    pub attributes: Vec<Attribute>,
    /// `pub` and the like.
    pub visibility: Visibility,
    /// Name, generics, arguments.
    pub signature: Signature,
    /// Whether it stands in an `impl` or a `trait`, where no type may be declared.
    pub associated: bool,
    /// Items declared in the body: they hold in both directions.
    pub items: Vec<Item>,
    /// The body; `None` for a required method of a trait.
    pub body: Option<Block>,
}

/// Statements that run one after the other.
pub type Block = Vec<Statement>;

/// A statement, and where it stands in the source.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: Kind,
    /// Its first token.
    pub span: Span,
    /// Its text (of a statement with a body: of its head).
    pub source: Source,
    /// Whether its run-time checks are on.
    pub checked: bool,
    /// Whether differentiation inserted it: then its expressions are known to be
    /// pure, whatever they look like.
    pub generated: bool,
    /// Whether it is known to undo an earlier statement, up to rounding.
    pub undoes: bool,
}

/// Two statements are equal when they do the same, wherever they stand.
impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        self.checked == other.checked && self.kind == other.kind
    }
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `*y += e;`
    Update {
        /// The place that is written.
        place: Expr,
        /// The operator.
        operator: Operator,
        /// What is accumulated.
        value: Expr,
    },
    /// `let n = e;`: a pure temporary.
    Bind(Binding),
    /// The end of the scope of a [`Kind::Bind`].
    Unbind(Binding),
    /// `let mut a = e;`: an ancilla.
    Allocate(Ancilla),
    /// `unlet!(a = e);`, or the end of the ancilla's scope.
    Release(Ancilla),
    /// `#[compute] { compute } body`, after which the computing is undone.
    Compute {
        /// What is computed and undone.
        compute: Block,
        /// The rest of the enclosing block.
        body: Block,
    },
    /// `if pre {…} else if … else {…}`
    If {
        /// The conditions and their blocks, in order.
        arms: Vec<Arm>,
        /// The last block.
        otherwise: Option<Block>,
    },
    /// `while (pre, post) {…}`
    While {
        /// True before every pass.
        pre: Expr,
        /// False on entry and true after every pass.
        post: Expr,
        /// Whether to check `post`.
        verify: bool,
        /// One pass.
        body: Block,
    },
    /// `for pattern in sequence {…}`
    For {
        /// The loop variables.
        pattern: Pat,
        /// What is iterated over.
        sequence: Expr,
        /// Whether from the last to the first.
        reversed: bool,
        /// Whether to check that the bounds are the same after the loop.
        verify: bool,
        /// One pass.
        body: Block,
    },
    /// `g(&mut y, &x);`, `m.g(&x);`, or the inverse of either.
    Call(Call),
    /// `{ … }`
    Block(Block),
    /// `host! { … }`: ordinary Rust, run in both directions.
    Host(Host),
}

/// The operator of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Xor,
    Multiply,
    Divide,
    /// As `Add`, on the shadow of a value whose type may have no `+=`.
    Accumulate,
    /// As `Subtract`, on such a shadow.
    Retract,
}

/// A pure temporary.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The names, with type annotations.
    pub pattern: Pat,
    /// What they stand for.
    pub value: Expr,
    /// Whether to check at the end that the value is the same still.
    pub verify: bool,
}

/// An ancilla, at one end of its life.
#[derive(Clone, Debug, PartialEq)]
pub struct Ancilla {
    /// Its name.
    pub name: Ident,
    /// Its annotated type.
    pub ty: Option<Type>,
    /// The value that it is known to hold there.
    pub value: Expr,
    /// Whether to check at its release that it holds that value.
    pub verify: bool,
    /// Whether all writes to it are known to be undone at its release, up to rounding.
    pub proved: bool,
    /// Whether derivatives look at what comes back there, of what is not proved.
    pub looked_at: bool,
    /// Whether it is declared before a loop, to be filled in every pass.
    pub reused: bool,
}

impl Ancilla {
    /// An ancilla with memory of its own.
    pub fn new(name: Ident, ty: Option<Type>, value: Expr, verify: bool) -> Self {
        Ancilla { name, ty, value, verify, proved: false, looked_at: false, reused: false }
    }
}

/// Ordinary Rust, not looked into.
#[derive(Clone, Debug)]
pub struct Host(pub TokenStream);

impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

/// One branch of an `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Chooses the branch.
    pub pre: Expr,
    /// Holds after the branch just when it was taken.
    pub post: Expr,
    /// Whether to check `post`.
    pub verify: bool,
    /// The branch.
    pub body: Block,
}

/// A call of a reversible function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// The arguments as written.
    pub arguments: Vec<Expr>,
    /// What stands around them.
    pub parentheses: Paren,
    /// Which of the callee's functions it calls.
    pub direction: Direction,
}

impl Call {
    /// What it is called on, and its arguments.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let receiver = match &self.callee {
            Callee::Method { receiver, .. } => Some(&**receiver),
            _ => None,
        };
        receiver.into_iter().chain(&self.arguments)
    }

    /// Whether it exchanges two values, which rounds nothing.
    pub fn is_swap(&self) -> bool {
        match &self.callee {
            Callee::Function(path) => path.path.segments.last().is_some_and(|s| s.ident == "swap"),
            _ => false,
        }
    }
}

/// The functions that a reversible function has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The function itself.
    Forward,
    /// The one that undoes it.
    Inverse,
    /// Undoes it, and carries the gradient back with it.
    Adjoint,
    /// The adjoint of the inverse: undoes [`Direction::Adjoint`].
    InverseAdjoint,
    /// As [`Direction::Adjoint`], where nobody looks at the values that it would
    /// restore.
    Gradient,
    /// Of a pure function: takes the gradient from its result to its arguments.
    Pullback,
    /// As [`Direction::Pullback`], with what was kept when the value was computed.
    Backward,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// `g(…)` or `module::g::<T>(…)`: a function with a companion type.
    Function(syn::ExprPath),
    /// `Type::g(…)`: an associated function, whose inverse is named `g_inverse`.
    Associated(syn::ExprPath),
    /// `step(…)` where `step` is an argument that implements the library's `Reversible`.
    Value(Ident),
    /// `receiver.g::<T>(…)`: a method, whose inverse is named `g_inverse`.
    Method {
        /// The object.
        receiver: Box<Expr>,
        /// The method's name in its forward direction.
        name: Ident,
        /// `::<T>`.
        turbofish: Option<syn::AngleBracketedGenericArguments>,
    },
}

impl Operator {
    /// The operator that undoes this one.
    pub fn inverse(self) -> Self {
        match self {
            Operator::Add => Operator::Subtract,
            Operator::Subtract => Operator::Add,
            Operator::Xor => Operator::Xor,
            Operator::Multiply => Operator::Divide,
            Operator::Divide => Operator::Multiply,
            Operator::Accumulate => Operator::Retract,
            Operator::Retract => Operator::Accumulate,
        }
    }
}

impl Direction {
    /// The function that undoes this one.
    pub fn inverse(self) -> Self {
        match self {
            Direction::Forward => Direction::Inverse,
            Direction::Inverse => Direction::Forward,
            Direction::Adjoint => Direction::InverseAdjoint,
            Direction::InverseAdjoint => Direction::Adjoint,
            Direction::Gradient | Direction::Pullback | Direction::Backward => {
                unreachable!("inserted after inversion")
            }
        }
    }

    /// The function that does the same to values, and carries the gradient too.
    pub fn with_gradient(self) -> Self {
        match self {
            Direction::Forward => Direction::InverseAdjoint,
            Direction::Inverse => Direction::Adjoint,
            other => other,
        }
    }
}

impl Statement {
    /// A statement of another kind in the same place.
    pub fn with(&self, kind: Kind) -> Self {
        let Statement { span, checked, generated, undoes, .. } = *self;
        Statement { kind, span, source: self.source.clone(), checked, generated, undoes }
    }

    /// Whether a name occurs in it.
    pub fn mentions(&self, name: &Ident) -> bool {
        let within = |expr: &Expr| mentions(expr, name);
        let block = |body: &Block| body.iter().any(|statement| statement.mentions(name));
        match &self.kind {
            Kind::Update { place, value, .. } => within(place) || within(value),
            Kind::Bind(b) | Kind::Unbind(b) => {
                within(&b.value) || pattern_names(&b.pattern).contains(name)
            }
            Kind::Allocate(a) | Kind::Release(a) => a.name == *name || within(&a.value),
            Kind::If { arms, otherwise } => {
                arms.iter().any(|arm| within(&arm.pre) || within(&arm.post) || block(&arm.body))
                    || otherwise.iter().any(block)
            }
            Kind::While { pre, post, body, .. } => within(pre) || within(post) || block(body),
            Kind::For { sequence, body, .. } => within(sequence) || block(body),
            Kind::Call(call) => {
                let receiver = match &call.callee {
                    Callee::Method { receiver, .. } => within(receiver),
                    Callee::Value(value) => value == name,
                    Callee::Function(_) | Callee::Associated(_) => false,
                };
                receiver || call.arguments.iter().any(within)
            }
            Kind::Block(body) => block(body),
            Kind::Host(host) => identifiers(&host.0).contains(name),
            Kind::Compute { compute, body } => block(compute) || block(body),
        }
    }

    /// The blocks that are directly inside of it.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            Kind::If { arms, otherwise } => {
                arms.iter().map(|arm| &arm.body).chain(otherwise).collect()
            }
            Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => vec![body],
            Kind::Compute { compute, body } => vec![compute, body],
            _ => Vec::new(),
        }
    }

    /// As [`Statement::blocks`], to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match &mut self.kind {
            Kind::If { arms, otherwise } => {
                arms.iter_mut().map(|arm| &mut arm.body).chain(otherwise).collect()
            }
            Kind::For { body, .. } | Kind::While { body, .. } | Kind::Block(body) => vec![body],
            Kind::Compute { compute, body } => vec![compute, body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, without those of the blocks inside of it.
    pub fn own_expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Update { place, value, .. } => vec![place, value],
            Kind::Bind(binding) | Kind::Unbind(binding) => vec![&binding.value],
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => vec![&ancilla.value],
            Kind::If { arms, .. } => arms.iter().flat_map(|arm| [&arm.pre, &arm.post]).collect(),
            Kind::While { pre, post, .. } => vec![pre, post],
            Kind::For { sequence, .. } => vec![sequence],
            Kind::Call(call) => call.operands().collect(),
            Kind::Compute { .. } | Kind::Block(_) | Kind::Host(_) => Vec::new(),
        }
    }

    /// Visits every expression of the statement, and of those inside of it.
    pub fn each_expression(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        match &mut self.kind {
            Kind::Update { place, value, .. } => {
                visit(place);
                visit(value);
            }
            Kind::Bind(binding) | Kind::Unbind(binding) => visit(&mut binding.value),
            Kind::Allocate(ancilla) | Kind::Release(ancilla) => visit(&mut ancilla.value),
            Kind::Compute { compute, body } => {
                compute.iter_mut().chain(body).for_each(|s| s.each_expression(visit));
            }
            Kind::If { arms, otherwise } => {
                for arm in arms {
                    visit(&mut arm.pre);
                    visit(&mut arm.post);
                    arm.body.iter_mut().for_each(|s| s.each_expression(visit));
                }
                otherwise.iter_mut().flatten().for_each(|s| s.each_expression(visit));
            }
            Kind::While { pre, post, body, .. } => {
                visit(pre);
                visit(post);
                body.iter_mut().for_each(|s| s.each_expression(visit));
            }
            Kind::For { sequence, body, .. } => {
                visit(sequence);
                body.iter_mut().for_each(|s| s.each_expression(visit));
            }
            Kind::Call(call) => {
                if let Callee::Method { receiver, .. } = &mut call.callee {
                    visit(receiver);
                }
                call.arguments.iter_mut().for_each(visit);
            }
            Kind::Block(body) => body.iter_mut().for_each(|s| s.each_expression(visit)),
            Kind::Host(_) => {}
        }
    }
}

impl Callee {
    /// What a path calls: an associated function is known by its type's capital.
    pub fn of_path(path: &syn::ExprPath) -> Self {
        let path = path.clone();
        if Callee::is_associated(&path) { Callee::Associated(path) } else { Callee::Function(path) }
    }

    /// Whether a path names a function of a type or trait.
    pub fn is_associated(path: &syn::ExprPath) -> bool {
        let mut before = path.path.segments.iter().rev().skip(1);
        path.qself.is_some()
            || before.next().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase))
    }
}
