//! What nobody uses, for the warnings of the compiler.
//!
//! The emitted function may use what the text does not, and the other way round: a check looks at
//! an ancilla, and uncomputing that restores nothing is gone. So the text is asked, and the
//! compiler is shown a declaration for each name that is not used.

use crate::item;
use crate::names::pattern_names;
use crate::place::identifiers;
use crate::visit::Visit;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::{Expr, Pat, Signature, Stmt};

/// What the text of a function uses, and what not.
#[derive(Debug)]
pub struct Unused {
    /// The braces of the body: of an item with braces of ours, nobody is told that it is dead.
    braces: Span,
    /// The arguments that are used.
    arguments: Vec<Ident>,
    /// The names that are declared for nothing; whether as the field of a struct.
    names: Vec<(Ident, bool)>,
    /// Every name in the body that it does not declare.
    mentioned: HashSet<String>,
}

impl Unused {
    /// Of a function as it is written.
    pub fn of(signature: &Signature, body: &syn::Block) -> Self {
        let tokens = body.to_token_stream();
        let arguments = item::argument_names(signature);
        let arguments = arguments.into_iter().filter(|name| is_used(name, &tokens)).cloned();
        let mut search = Search { names: Vec::new() };
        search.block(body, &TokenStream::new());
        let mut outside = Outside::default();
        outside.visit_block(body);
        let Outside { mut mentioned, declared } = outside;
        let own = item::argument_names(signature).into_iter().chain(&declared);
        own.for_each(|name| _ = mentioned.remove(&name.to_string()));
        Unused {
            braces: body.brace_token.span.join(),
            arguments: arguments.collect(),
            names: search.names,
            mentioned,
        }
    }

    /// The body of the function, which is made of `items` and `statements`, with the warnings
    /// that its text deserves.
    pub fn body(&self, items: TokenStream, statements: TokenStream) -> TokenStream {
        let found: HashSet<Ident> = identifiers(&statements).into_iter().collect();
        let gone = self.arguments.iter().filter(|name| !found.contains(name));
        let gone = gone.map(|name| quote!(let _ = &#name;));
        let names = self.names.iter().map(|(name, field)| match field {
            false => quote!(let #name = 0;),
            // What to write instead is something else.
            true => quote!({
                struct Fields { #name: u8 }
                let Fields { #name } = Fields { #name: 0 };
            }),
        });
        let names = (!self.names.is_empty()).then(|| quote!({ #(#names)* }));
        let body = quote! {
            #items
            #(#gone)*
            #names
            #[allow(unused_variables)]
            { #statements }
        };
        let mut group = Group::new(Delimiter::Brace, body);
        group.set_span(self.braces);
        TokenTree::Group(group).into()
    }

    /// Whether everything that the text mentions is in what was made of it. What is only in the
    /// inverse, where it is not called, would be said to be dead.
    pub fn is_all_in(&self, emitted: &TokenStream) -> bool {
        let found: HashSet<String> = identifiers(emitted).iter().map(Ident::to_string).collect();
        self.mentioned.is_subset(&found)
    }
}

/// What a body mentions of what is outside of it.
#[derive(Default)]
struct Outside {
    mentioned: HashSet<String>,
    declared: Vec<Ident>,
}

impl Visit<'_> for Outside {
    fn visit_ident(&mut self, name: &Ident) {
        self.mentioned.insert(name.to_string());
    }
    fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
        self.declared.push(pattern.ident.clone());
        crate::visit::visit_pat_ident(self, pattern);
    }
    fn visit_macro(&mut self, call: &syn::Macro) {
        self.mentioned.extend(identifiers(&call.tokens).iter().map(Ident::to_string));
    }
    fn visit_attribute(&mut self, _: &syn::Attribute) {}
}

/// Whether tokens use a name: mention it more often than they declare it.
fn is_used(name: &Ident, tokens: &TokenStream) -> bool {
    mentions(name, tokens) > declarations(name, tokens)
}

/// How often a name stands for a variable, as far as tokens tell.
fn mentions(name: &Ident, tokens: &TokenStream) -> usize {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is = |at: Option<&TokenTree>, sign: char| matches!(at, Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let mut count = 0;
    for (i, token) in tokens.iter().enumerate() {
        count += match token {
            TokenTree::Ident(found) => {
                let before = |back: usize| i.checked_sub(back).and_then(|i| tokens.get(i));
                // `self.x`, but not `0..x`.
                let field = is(before(1), '.') && !is(before(2), '.');
                let path = is(before(1), ':') && is(before(2), ':')
                    || is(tokens.get(i + 1), ':') && is(tokens.get(i + 2), ':');
                usize::from(found == name && !field && !path)
            }
            TokenTree::Group(group) => mentions(name, &group.stream()),
            other => identifiers(&other.clone().into()).iter().filter(|n| *n == name).count(),
        };
    }
    count
}

/// How often patterns in the tokens of statements declare a name.
fn declarations(name: &Ident, tokens: &TokenStream) -> usize {
    struct Count<'a>(&'a Ident, usize);
    impl Visit<'_> for Count<'_> {
        fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
            self.1 += usize::from(pattern.ident == *self.0);
            crate::visit::visit_pat_ident(self, pattern);
        }
    }
    let mut count = Count(name, 0);
    if let Ok(block) = syn::parse2(quote!({ #tokens })) {
        count.visit_block(&block);
    }
    count.1
}

struct Search {
    names: Vec<(Ident, bool)>,
}

impl Search {
    /// The names of a block that are used neither in it nor in what comes `after` it and sees
    /// them.
    fn block(&mut self, block: &syn::Block, after: &TokenStream) {
        for (i, statement) in block.stmts.iter().enumerate() {
            let rest = &block.stmts[i + 1..];
            let rest = quote!(#(#rest)* #after);
            match statement {
                Stmt::Local(local) => {
                    self.declared(&local.pat, &rest);
                    if let Some(init) = &local.init {
                        self.visit_expr(&init.expr);
                    }
                }
                // What it computes is there for the rest of the block around it.
                Stmt::Expr(Expr::Block(inner), _) if !inner.attrs.is_empty() => {
                    self.block(&inner.block, &rest);
                }
                other => self.visit_stmt(other),
            }
        }
    }

    fn declared(&mut self, pattern: &Pat, scope: &impl ToTokens) {
        struct Fields(Vec<Ident>);
        impl Visit<'_> for Fields {
            fn visit_field_pat(&mut self, field: &syn::FieldPat) {
                match field.colon_token {
                    None => self.0.extend(pattern_names(&field.pat)),
                    Some(_) => crate::visit::visit_field_pat(self, field),
                }
            }
        }
        let mut fields = Fields(Vec::new());
        fields.visit_pat(pattern);
        let scope = scope.to_token_stream();
        for name in pattern_names(pattern) {
            // A capital is a constant, or a variant without fields.
            let meant = name.to_string().starts_with(|c: char| c == '_' || c.is_uppercase());
            if !meant && !is_used(&name, &scope) {
                let field = fields.0.contains(&name);
                self.names.push((name, field));
            }
        }
    }
}

impl Visit<'_> for Search {
    fn visit_block(&mut self, block: &syn::Block) {
        self.block(block, &TokenStream::new());
    }
    fn visit_expr_for_loop(&mut self, repeat: &syn::ExprForLoop) {
        self.declared(&repeat.pat, &repeat.body);
        crate::visit::visit_expr_for_loop(self, repeat);
    }
    fn visit_arm(&mut self, arm: &syn::Arm) {
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
            pattern => (pattern, None),
        };
        let body = &arm.body;
        self.declared(pattern, &quote!(#guard; #body));
        crate::visit::visit_arm(self, arm);
    }
    fn visit_expr_closure(&mut self, closure: &syn::ExprClosure) {
        closure.inputs.iter().for_each(|input| self.declared(input, &closure.body));
        crate::visit::visit_expr_closure(self, closure);
    }
    fn visit_item(&mut self, _: &syn::Item) {}
}
