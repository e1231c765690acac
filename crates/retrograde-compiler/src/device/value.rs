//! Expressions in the device's language. References are left out: there, a name
//! for a place is the place.

use super::Printer;
use super::types;
use crate::functions;
use crate::place::bare_name;
use crate::text;
use syn::{BinOp, Expr, Lit, Member, Pat, RangeLimits, Stmt, UnOp};

/// Methods beside the elementary functions that the device has.
const METHODS: [&str; 12] = [
    "abs_diff", "conj", "div_ceil", "is_empty", "len", "norm", "norm_sqr", "arg", "pow", "scaled",
    "sin_cos", "split_at",
];

/// Methods that give what they are called on.
const SAME: [&str; 6] = ["__ref", "as_slice", "as_mut_slice", "as_ref", "as_mut", "borrow"];
/// Methods that give a copy of what they are called on.
const COPIES: [&str; 5] = ["__value", "clone", "to_owned", "cloned", "copied"];
/// What a loop may run over.
const SEQUENCES: [&str; 12] = [
    "iter",
    "iter_mut",
    "into_iter",
    "rev",
    "zip",
    "enumerate",
    "step_by",
    "skip",
    "take",
    "chunks_exact",
    "chunks_exact_mut",
    "windows",
];

impl Printer<'_> {
    /// The value of an expression, in parentheses where it needs them.
    pub(super) fn value(&mut self, expr: &Expr) -> String {
        if let Some(text) = self.converted(expr) {
            return text;
        }
        match expr {
            Expr::Paren(e) => self.value(&e.expr),
            Expr::Group(e) => self.value(&e.expr),
            Expr::Reference(e) => self.value(&e.expr),
            Expr::Path(e) => self.path(e),
            Expr::Lit(e) => self.literal(&e.lit),
            Expr::Unary(e) => match e.op {
                UnOp::Deref(_) => self.value(&e.expr),
                UnOp::Not(_) if !self.told && self.is_inferred(&e.expr) => {
                    self.refuse_inferred(&e.expr)
                }
                UnOp::Not(_) => format!("rg::inverted({})", self.value(&e.expr)),
                _ => self.negated(&e.expr),
            },
            Expr::Binary(e) => self.binary(e),
            Expr::Field(e) => {
                let base = self.value(&e.base);
                match &e.member {
                    Member::Named(name) => format!("{base}.{}", super::field_name(name)),
                    Member::Unnamed(index) => format!("{base}._{}", index.index),
                }
            }
            Expr::Index(e) => self.index(e),
            Expr::MethodCall(e) => self.method(e),
            Expr::Call(e) => self.called(e),
            Expr::Cast(e) => {
                let value = self.value(&e.expr);
                let ty = self.written(&e.ty);
                format!("rg::cast<{ty}>({value})")
            }
            Expr::If(e) => self.choice(e),
            Expr::Block(e) => self.block_value(&e.block),
            Expr::Array(e) => {
                let parts: Vec<String> = e.elems.iter().map(|part| self.value(part)).collect();
                format!("rg::array({})", parts.join(", "))
            }
            Expr::Repeat(e) => {
                let length = self.length(&e.len);
                let element = self.value(&e.expr);
                format!("rg::filled<{length}>({element})")
            }
            Expr::Tuple(e) => {
                let parts: Vec<String> = e.elems.iter().map(|part| self.value(part)).collect();
                format!("rg::tuple({})", parts.join(", "))
            }
            Expr::Range(e) => self.range(e),
            Expr::Macro(e) if e.mac.path.is_ident("vec") => self.refuse(
                e,
                "the device has no heap, and a vector's length is known only when it runs",
                "use an array of constant size, `[0.0; 8]`, or pass a slice of the memory",
            ),
            Expr::Struct(e) => self.refuse(
                e,
                "a struct is not built on the device",
                "pass it in, and add to its fields",
            ),
            other => self.refuse_form(other),
        }
    }

    fn refuse_form(&mut self, expr: &impl quote::ToTokens) -> String {
        self.refuse(
            expr,
            "this has no form on the device",
            "write it with operators, methods of numbers and functions that are marked `gpu`",
        )
    }

    fn negated(&mut self, expr: &Expr) -> String {
        // The least integer has no positive of its own.
        if let Expr::Lit(syn::ExprLit { lit: Lit::Int(n), .. }) = expr
            && n.base10_parse::<u64>().is_ok_and(|n| n == 1 << 63)
        {
            let least = "(-9223372036854775807LL - 1)";
            return match n.suffix() {
                "" => format!("rg::integer{least}"),
                _ => least.to_string(),
            };
        }
        format!("(-{})", self.value(expr))
    }

    /// A constant expression: a length.
    pub(super) fn length(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Lit(syn::ExprLit { lit: Lit::Int(literal), .. }) => {
                literal.base10_digits().to_string()
            }
            Expr::Paren(e) => self.length(&e.expr),
            Expr::Binary(e) => {
                let (left, right) = (self.length(&e.left), self.length(&e.right));
                format!("({left} {} {right})", text::of(&e.op))
            }
            Expr::Path(path) => match self.named_or_constant(path) {
                Ok(name) => name,
                // It must be known while the text is compiled.
                Err(number) => format!("@c{number}@"),
            },
            other => self.refuse(
                other,
                "the length of an array on the device is a constant",
                "write a number, a `const` or a const parameter",
            ),
        }
    }

    fn path(&mut self, e: &syn::ExprPath) -> String {
        match self.named_or_constant(e) {
            Ok(name) => name,
            Err(number) => {
                if !self.constants.contains(&number) {
                    self.constants.push(number);
                }
                types::constant(number)
            }
        }
    }

    /// What a name is called there, or which constant it is.
    fn named_or_constant(&mut self, e: &syn::ExprPath) -> Result<String, usize> {
        if let Some(name) = e.path.get_ident() {
            if let Some(known) = self.scope.get(name) {
                return Ok(known.to_string());
            }
            if self.parameters.contains(&name.to_string()) {
                return Ok(name.to_string());
            }
        }
        let last = e.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if last == "NoShadow" {
            return Ok("rg::NoShadow{}".to_string());
        }
        let constant = last.chars().all(|c| c.is_uppercase() || c == '_' || c.is_ascii_digit());
        let first = e.path.segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
        if self.parameters.contains(&first) {
            return Ok(self.refuse(
                e,
                "the device does not know the constants of a generic parameter",
                "write `T::from_f64(…)`, or pass it as an argument",
            ));
        }
        if !constant {
            return Ok(self.refuse(
                e,
                "the device does not know this name",
                "pass it as an argument, or make it a `const`, whose name is in capitals",
            ));
        }
        let text = quote::ToTokens::to_token_stream(e).to_string();
        let known = self.text.constants.iter().position(|(name, _)| *name == text);
        Err(known.unwrap_or_else(|| {
            self.text.constants.push((text, e.clone()));
            self.text.constants.len() - 1
        }))
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> String {
        match e.op {
            BinOp::Shl(_) | BinOp::Shr(_) => {
                if matches!(e.op, BinOp::Shl(_)) && !self.told && self.is_inferred(&e.left) {
                    return self.refuse_inferred(&e.left);
                }
                let name = if matches!(e.op, BinOp::Shl(_)) { "shl" } else { "shr" };
                let (left, right) = (self.value(&e.left), self.with_told(false, &e.right));
                return format!("rg::{name}({left}, {right})");
            }
            _ => {}
        }
        if !self.generic && self.is_vague(&e.left) && self.is_vague(&e.right) {
            return self.refuse_vague(e);
        }
        let (left, right) = (self.operand(&e.left, &e.right), self.operand(&e.right, &e.left));
        let name = match e.op {
            BinOp::Rem(_) => "rem",
            BinOp::Div(_) => "div",
            BinOp::BitAnd(_) => "bit_and",
            BinOp::BitOr(_) => "bit_or",
            BinOp::BitXor(_) => "bit_xor",
            _ => return format!("({left} {} {right})", text::of(&e.op)),
        };
        format!("rg::{name}({left}, {right})")
    }

    fn index(&mut self, e: &syn::ExprIndex) -> String {
        let base = self.value(&e.expr);
        let Expr::Range(range) = &*e.index else {
            let index = self.with_told(false, &e.index);
            let number = self.check_number();
            return format!("RG_AT({base}, {index}, {number})");
        };
        let start = range.start.as_ref().map_or("0LL".to_string(), |start| self.value(start));
        let end = match &range.end {
            None if range.start.is_none() => return format!("rg::all({base})"),
            None => format!("rg::len({base})"),
            Some(end) => {
                let end = self.value(end);
                let more = if matches!(range.limits, RangeLimits::Closed(_)) { " + 1" } else { "" };
                format!("{end}{more}")
            }
        };
        let number = self.check_number();
        format!("RG_PART({base}, {start}, {end}, {number})")
    }

    fn range(&mut self, e: &syn::ExprRange) -> String {
        let (Some(start), Some(end)) = (&e.start, &e.end) else {
            return self.refuse_form(e);
        };
        let (start, end) = (self.value(start), self.value(end));
        let kind = if matches!(e.limits, RangeLimits::Closed(_)) { "through" } else { "range" };
        format!("rg::{kind}({start}, {end})")
    }

    fn method(&mut self, e: &syn::ExprMethodCall) -> String {
        let name = e.method.to_string();
        if name == "__stand_in" {
            // A throw-away shadow, of whatever it is.
            return format!("rg::scratch({})", self.probed(&e.receiver));
        }
        if name == "__made" {
            return self.value(&e.receiver);
        }
        if let Some((literal, beside)) = literal_beside(e) {
            return format!("rg::like({}, {})", self.value(beside), self.value(literal));
        }
        let receiver = self.value(&e.receiver);
        let arguments: Vec<String> = e.args.iter().map(|argument| self.value(argument)).collect();
        if SAME.contains(&name.as_str()) {
            return receiver;
        }
        if COPIES.contains(&name.as_str()) {
            return format!("rg::value({receiver})");
        }
        let known = functions::is_known(&name)
            || METHODS.contains(&name.as_str())
            || SEQUENCES.contains(&name.as_str());
        let name = match name.as_str() {
            "iter_mut" | "into_iter" => "iter".to_string(),
            "chunks_exact_mut" => "chunks_exact".to_string(),
            "split_at_mut" => "split_at".to_string(),
            _ if known => name,
            _ => {
                return self.refuse(
                    &e.method,
                    &format!("the device has no method `{name}`"),
                    "call a function that is marked `#[reversible(gpu)]` or \
                     `#[differentiable(gpu)]`",
                );
            }
        };
        let mut all = vec![receiver];
        all.extend(arguments);
        format!("rg::{name}({})", all.join(", "))
    }

    fn probed(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Paren(e) => self.probed(&e.expr),
            Expr::Reference(e) => self.probed(&e.expr),
            Expr::Call(e) if e.args.len() == 1 => self.value(&e.args[0]),
            other => self.value(other),
        }
    }

    /// A function in an expression.
    fn called(&mut self, e: &syn::ExprCall) -> String {
        let mut function = &*e.func;
        while let Expr::Paren(inner) = function {
            function = &inner.expr;
        }
        let Expr::Path(path) = function else {
            return self.refuse(
                function,
                "the device does not call a function that it is handed",
                "name the function",
            );
        };
        if let Some((_, claimed)) = crate::differentiate::claim(&Expr::Call(e.clone())) {
            return self.value(claimed);
        }
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let values = |printer: &mut Self| -> Vec<String> {
            e.args.iter().map(|argument| printer.value(argument)).collect()
        };
        let arguments = match &segments[..] {
            [.., ty, name]
                if ["literal", "from_f64"].contains(&name.as_str())
                    && (types::scalar(ty).is_some() || self.parameters.contains(ty)) =>
            {
                self.in_doubles(values)
            }
            _ => values(self),
        };
        let list: Vec<&Expr> = e.args.iter().collect();
        let arguments = arguments.join(", ");
        if path.path.leading_colon.is_some() && segments[0] == "retrograde" {
            // What differentiation inserts: the rules have the same names there.
            let own: Vec<&str> = segments[1..]
                .iter()
                .map(String::as_str)
                .filter(|s| !["derivative", "__private", "num"].contains(s))
                .collect();
            return format!("rg::{}({arguments})", own.join("::"));
        }
        let (last, before) = (&segments[segments.len() - 1], &segments[..segments.len() - 1]);
        match before.last().map(String::as_str) {
            Some("Complex") if last == "new" => return format!("rg::complex({arguments})"),
            Some(ty) if last == "from" && types::scalar(ty).is_some() => {
                let ty = types::scalar(ty).unwrap_or_default();
                return format!("rg::cast<{ty}>({arguments})");
            }
            // `f64::max(a, b)`, `T::literal(0.5)`
            Some(ty) if types::scalar(ty).is_some() || self.parameters.contains(ty) => {
                return match last.as_str() {
                    "literal" | "from_f64" => {
                        let ty = types::scalar(ty).unwrap_or(ty);
                        format!("{ty}({arguments})")
                    }
                    "zero" | "one" => {
                        let ty = types::scalar(ty).unwrap_or(ty);
                        format!("{ty}({})", if last == "zero" { 0 } else { 1 })
                    }
                    _ if functions::is_known(last) || METHODS.contains(&last.as_str()) => {
                        format!("rg::{last}({arguments})")
                    }
                    _ => self.refuse(
                        path,
                        &format!("the device has no function `{last}` of numbers"),
                        "write it with operators and methods of numbers",
                    ),
                };
            }
            _ => {}
        }
        if last.starts_with(char::is_uppercase) {
            return self.refuse(
                path,
                "a struct is not built on the device",
                "pass it in, and add to its fields",
            );
        }
        self.refuse_untold(&list);
        let callee = self.callee(path);
        self.only(&format!("{callee}::value({arguments})"))
    }

    /// Refuses references to numbers of unknown type: the callee has one for them.
    pub(super) fn refuse_untold(&mut self, arguments: &[&Expr]) {
        for argument in arguments {
            let Expr::Reference(reference) = argument else { continue };
            if self.is_inferred(&reference.expr) {
                self.refuse_inferred(&reference.expr);
            } else if self.is_vague(&reference.expr) {
                self.refuse_vague(&reference.expr);
            }
        }
    }

    /// What comes from elsewhere has the floats that the literals here are taken for.
    pub(super) fn only(&self, text: &str) -> String {
        match self.number.as_deref() {
            Some(number @ ("rg::f64" | "rg::f32")) if !self.generic => {
                format!("rg::only<{number}>({text})")
            }
            _ => text.to_string(),
        }
    }

    /// `if c { a } else { b }`
    fn choice(&mut self, e: &syn::ExprIf) -> String {
        let condition = self.value(&e.cond);
        let then = self.block_value(&e.then_branch);
        let otherwise = match &e.else_branch {
            Some((_, otherwise)) => self.value(otherwise),
            None => {
                self.refuse_statement(e);
                String::new()
            }
        };
        format!("rg::choose({condition}, [&] {{ return {then}; }}, [&] {{ return {otherwise}; }})")
    }

    /// `{ let a = …; e }`
    pub(super) fn block_value(&mut self, block: &syn::Block) -> String {
        if let [Stmt::Expr(value, None)] = &block.stmts[..] {
            return self.value(value);
        }
        let before = self.scope.clone();
        let mut text = String::from("([&] { ");
        for statement in &block.stmts {
            match statement {
                Stmt::Local(local) => match &local.init {
                    Some(init) if init.diverge.is_none() => {
                        let lines = self.declared(&local.pat, &init.expr);
                        text.push_str(&lines.join(" "));
                        text.push(' ');
                    }
                    _ => self.refuse_statement(local),
                },
                Stmt::Expr(value, None) => {
                    let value = self.value(value);
                    text.push_str(&format!("return rg::value({value}); "));
                }
                other => self.refuse_statement(other),
            }
        }
        self.scope.end(&before);
        text.push_str("}())");
        text
    }

    fn refuse_statement(&mut self, what: &impl quote::ToTokens) {
        self.refuse(
            what,
            "a block on the device is made of `let`, `if` and `else`, and ends with its value",
            "give every value a name of its own: `let b = a * a;`",
        );
    }

    /// The lines that declare the names of a pattern.
    pub(super) fn declared(&mut self, pattern: &Pat, value: &Expr) -> Vec<String> {
        match (pattern, value) {
            (Pat::Paren(inner), _) => return self.declared(&inner.pat, value),
            (_, Expr::Paren(inner)) => return self.declared(pattern, &inner.expr),
            // Part by part, so that references stay references.
            (Pat::Tuple(parts), Expr::Tuple(values)) if parts.elems.len() == values.elems.len() => {
                let pairs = parts.elems.iter().zip(&values.elems);
                return pairs.flat_map(|(part, value)| self.declared(part, value)).collect();
            }
            _ => {}
        }
        let told = matches!(pattern, Pat::Type(_)) && self.is_inferred(value);
        let text = self.with_told(told, value);
        let place = is_view(value);
        let inferred = self.is_inferred(value);
        match pattern {
            Pat::Ident(name) => {
                let name = self.named(name);
                if inferred {
                    self.scope.infer(&name);
                }
                vec![if place {
                    format!("auto&& {name} = {text};")
                } else {
                    format!("auto {name} = rg::value({text});")
                }]
            }
            Pat::Type(typed) if matches!(*typed.ty, syn::Type::Infer(_)) => {
                self.declared(&typed.pat, value)
            }
            Pat::Type(typed) => {
                let ty = self.type_of(&typed.ty);
                match &*typed.pat {
                    Pat::Ident(name) if place || ty.is_empty() => {
                        let name = self.named(name);
                        vec![format!("auto&& {name} = {text};")]
                    }
                    Pat::Ident(name) => {
                        let name = self.named(name);
                        vec![format!("{ty} {name} = rg::as<{ty}>({text});")]
                    }
                    other => self.taken_apart(other, &text, place),
                }
            }
            Pat::Wild(_) => Vec::new(),
            other => self.taken_apart(other, &text, place),
        }
    }

    /// Declares the name of a pattern.
    fn named(&mut self, name: &syn::PatIdent) -> String {
        if name.subpat.is_some() {
            self.refuse_pattern(name);
        }
        self.scope.declare(&name.ident)
    }

    fn refuse_pattern(&mut self, pattern: &impl quote::ToTokens) {
        self.refuse(
            pattern,
            "this pattern has no form on the device",
            "use names, tuples and fields",
        );
    }

    /// The lines that take a value apart.
    fn taken_apart(&mut self, pattern: &Pat, value: &str, place: bool) -> Vec<String> {
        let whole = self.scope.fresh("whole");
        let mut lines = vec![match place {
            true => format!("auto&& {whole} = {value};"),
            false => format!("auto {whole} = rg::value({value});"),
        }];
        self.parts(pattern, &whole, &mut lines);
        lines
    }

    /// The lines that name the parts of what has a name.
    pub(super) fn parts(&mut self, pattern: &Pat, whole: &str, lines: &mut Vec<String>) {
        match pattern {
            Pat::Ident(name) => {
                let given = self.named(name);
                // What is changed is not the whole.
                lines.push(match name.mutability {
                    Some(_) => format!("auto {given} = rg::value({whole});"),
                    None => format!("auto&& {given} = {whole};"),
                });
            }
            Pat::Wild(_) => {}
            Pat::Paren(inner) => self.parts(&inner.pat, whole, lines),
            Pat::Reference(inner) => self.parts(&inner.pat, whole, lines),
            Pat::Type(inner) => self.parts(&inner.pat, whole, lines),
            Pat::Tuple(tuple) => {
                for (i, part) in tuple.elems.iter().enumerate() {
                    self.parts(part, &format!("{whole}._{i}"), lines);
                }
            }
            Pat::Slice(slice) => {
                for (i, part) in slice.elems.iter().enumerate() {
                    self.parts(part, &format!("{whole}[{i}]"), lines);
                }
            }
            Pat::Struct(fields) => {
                for field in &fields.fields {
                    let member = match &field.member {
                        Member::Named(name) => super::field_name(name),
                        Member::Unnamed(index) => format!("_{}", index.index),
                    };
                    self.parts(&field.pat, &format!("{whole}.{member}"), lines);
                }
            }
            Pat::TupleStruct(fields) => {
                for (i, part) in fields.elems.iter().enumerate() {
                    self.parts(part, &format!("{whole}._{i}"), lines);
                }
            }
            other => self.refuse_pattern(other),
        }
    }
}

/// Whether a value is a place under another name: of an element, not a copy of it.
fn is_view(value: &Expr) -> bool {
    match value {
        Expr::Paren(e) => is_view(&e.expr),
        Expr::Reference(e) => {
            bare_name(&e.expr).is_some() || crate::place::access(&e.expr).is_some()
        }
        Expr::MethodCall(call) => crate::place::lends(&call.method.to_string()),
        _ => false,
    }
}

/// A literal, and what it stands beside.
fn literal_beside(call: &syn::ExprMethodCall) -> Option<(&Expr, &Expr)> {
    let mut receiver = &*call.receiver;
    while let Expr::Paren(syn::ExprParen { expr, .. })
    | Expr::Reference(syn::ExprReference { expr, .. }) = receiver
    {
        receiver = expr;
    }
    match receiver {
        Expr::Call(beside)
            if call.method == crate::emit::LITERAL || call.method == crate::emit::LITERAL_WITH =>
        {
            Some((call.args.first()?, beside.args.first()?))
        }
        _ => None,
    }
}
