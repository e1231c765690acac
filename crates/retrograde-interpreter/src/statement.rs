//! Statements of ordinary Rust: of emitted code, and of functions that are not reversible.

use crate::expression::text;
use crate::machine::Machine;
use crate::number::Number;
use crate::stop::{Outcome, Stop};
use crate::value::Value;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Item, Pat, Stmt, Token, TraitItem, TraitItemFn, Type, UseTree};

impl<N: Number> Machine<'_, N> {
    /// A block; its value is that of its last expression.
    pub fn block(&mut self, block: &Block) -> Outcome<Value<N>, N> {
        self.scoped(|machine| machine.statements(&block.stmts))
    }

    pub(crate) fn statements(&mut self, statements: &[Stmt]) -> Outcome<Value<N>, N> {
        let mut last = Value::Unit;
        for statement in statements {
            self.tick()?;
            last = Value::Unit;
            let views = self.views.len();
            match statement {
                Stmt::Local(local) => {
                    let value = match &local.init {
                        Some(init) => self.initial(&local.pat, &init.expr)?,
                        None => Value::Unit,
                    };
                    self.bind(&local.pat, value)?;
                }
                Stmt::Item(Item::Use(item)) => self.import(&item.tree, &mut Vec::new()),
                // Claims about types, which never run.
                Stmt::Item(Item::Const(item)) if item.ident == "_" => {}
                Stmt::Item(Item::Trait(item)) if item.items.iter().all(is_idle) => {
                    self.idle.extend(item.items.iter().filter_map(named));
                }
                // Of such a trait.
                Stmt::Item(Item::Impl(item)) if item.trait_.is_some() && item.items.is_empty() => {}
                Stmt::Item(other) => {
                    return Err(Stop::unknown(format!("an item in a block: {}", text(other))));
                }
                Stmt::Expr(expr, semicolon) => {
                    let value = self.value(expr)?;
                    if semicolon.is_none() {
                        last = value;
                    }
                }
                Stmt::Macro(statement) => {
                    let value = self.macro_expression(&statement.mac)?;
                    if statement.semi_token.is_none() {
                        last = value;
                    }
                }
            }
            self.end_views(views)?;
        }
        Ok(last)
    }

    /// The value that a `let` begins with.
    pub(crate) fn initial(&mut self, pattern: &Pat, expr: &Expr) -> Outcome<Value<N>, N> {
        // `let kept: [_; 64] = …`, where only the type tells how many.
        self.length_hint = match pattern {
            Pat::Type(typed) => match &*typed.ty {
                Type::Array(array) => match self.value(&array.len)? {
                    Value::Integer(length, _) => usize::try_from(length).ok(),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let value = self.value(expr);
        self.length_hint = None;
        value
    }

    /// `use swap as Callee;`. What else is imported is found by its name anyway.
    /// Most are traits, which have no name then, so nothing is written down on the way.
    fn import<'t>(&mut self, tree: &'t UseTree, before: &mut Vec<&'t syn::Ident>) {
        match tree {
            UseTree::Path(path) => {
                before.push(&path.ident);
                self.import(&path.tree, before);
                before.pop();
            }
            UseTree::Rename(rename) if rename.rename != "_" => {
                let path = before.iter().map(|segment| format!("{segment}::")).collect::<String>();
                self.alias(rename.rename.to_string(), format!("{path}{}", rename.ident));
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, before));
            }
            _ => {}
        }
    }

    /// `vec![…]`, `assert!(…)` and their like.
    pub(crate) fn macro_expression(&mut self, mac: &syn::Macro) -> Outcome<Value<N>, N> {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string());
        let unreadable = |_| Stop::unknown(format!("the macro {}", text(mac)));
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        match name.as_deref() {
            Some("vec") => {
                let repeated = |input: syn::parse::ParseStream| {
                    let value: Expr = input.parse()?;
                    input.parse::<Token![;]>()?;
                    Ok((value, input.parse::<Expr>()?))
                };
                if let Ok((value, length)) = repeated.parse2(mac.tokens.clone()) {
                    let (value, length) = (self.value(&value)?, self.value(&length)?);
                    return self.repeated(value, length);
                }
                let parts = list.parse2(mac.tokens.clone()).map_err(unreadable)?;
                Ok(Value::List(self.values(parts.iter())?))
            }
            Some("assert" | "debug_assert") => {
                let parts = list.parse2(mac.tokens.clone()).map_err(unreadable)?;
                match self.condition(&parts[0])? {
                    true => Ok(Value::Unit),
                    false => Err(Stop::Panic(format!("{} does not hold", text(&parts[0])))),
                }
            }
            Some("assert_eq" | "debug_assert_eq") => {
                let parts = list.parse2(mac.tokens.clone()).map_err(unreadable)?;
                let (a, b) = (self.value(&parts[0])?, self.value(&parts[1])?);
                let (a, b) = (self.owned(a)?, self.owned(b)?);
                match crate::checks::same(&a, &b) {
                    true => Ok(Value::Unit),
                    false => Err(Stop::Panic(format!("{a} is not {b}"))),
                }
            }
            Some("panic" | "unreachable") => Err(Stop::Panic(text(mac))),
            _ => Err(Stop::unknown(format!("the macro {}", text(mac)))),
        }
    }
}

/// Whether a function of a trait does nothing where a type has none of its own.
fn is_idle(item: &TraitItem) -> bool {
    matches!(item, TraitItem::Fn(TraitItemFn { sig, default: Some(body), .. })
        if body.stmts.is_empty() || sig.ident.to_string().ends_with("_decides"))
}

fn named(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Fn(function) => Some(function.sig.ident.to_string()),
        _ => None,
    }
}
