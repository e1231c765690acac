//! The IR as text, for people.

use crate::ir::{
    Ancilla, Arm, Block, Call, Callee, Direction, Function, Kind, Operator, Statement,
};
use crate::text;
use quote::ToTokens;
use std::fmt::{self, Write};

/// A function's IR, two spaces a level.
pub fn function(function: &Function, body: &Block) -> String {
    let mut printer = Printer { text: String::new(), level: 0 };
    printer.line(format_args!("{}", text::of(&function.signature)));
    printer.block(body);
    printer.text
}

/// A block's IR.
pub fn block(block: &Block) -> String {
    let mut printer = Printer { text: String::new(), level: 0 };
    block.iter().for_each(|statement| printer.statement(statement));
    printer.text
}

struct Printer {
    text: String,
    level: usize,
}

impl Printer {
    fn line(&mut self, content: fmt::Arguments) {
        let indent = self.level * 2;
        writeln!(self.text, "{:indent$}{content}", "").expect("writing to a string");
    }

    fn block(&mut self, block: &Block) {
        self.level += 1;
        block.iter().for_each(|statement| self.statement(statement));
        self.level -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Update { place, operator, value } => {
                let operator = match operator {
                    Operator::Add | Operator::Accumulate => "+=",
                    Operator::Subtract | Operator::Retract => "-=",
                    Operator::Xor => "^=",
                    Operator::Multiply => "*=",
                    Operator::Divide => "/=",
                };
                self.line(format_args!("{} {operator} {}", show(place), show(value)));
            }
            Kind::Bind(b) => {
                self.line(format_args!("bind {} = {}", show(&b.pattern), show(&b.value)));
            }
            Kind::Unbind(b) => {
                let check = checked(b.verify);
                self.line(format_args!("unbind {} = {}{check}", show(&b.pattern), show(&b.value)));
            }
            Kind::Allocate(a) => self.line(format_args!("allocate {}", ancilla(a))),
            Kind::Release(a) => {
                self.line(format_args!("release {}{}", ancilla(a), checked(a.verify)));
            }
            Kind::Compute { compute, body } => {
                self.line(format_args!("compute"));
                self.block(compute);
                self.line(format_args!("use"));
                self.block(body);
                self.line(format_args!("uncompute"));
            }
            Kind::If { arms, otherwise } => {
                for (i, arm) in arms.iter().enumerate() {
                    let Arm { pre, post, verify, body } = arm;
                    let word = if i == 0 { "if" } else { "else if" };
                    let check = checked(*verify);
                    if pre == post {
                        self.line(format_args!("{word} {}{check}", show(pre)));
                    } else {
                        let (pre, post) = (show(pre), show(post));
                        self.line(format_args!("{word} {pre} after {post}{check}"));
                    }
                    self.block(body);
                }
                if let Some(block) = otherwise {
                    self.line(format_args!("else"));
                    self.block(block);
                }
            }
            Kind::While { pre, post, verify, body } => {
                let check = checked(*verify);
                self.line(format_args!("while {} after {}{check}", show(pre), show(post)));
                self.block(body);
            }
            Kind::For { pattern, sequence, reversed, verify, body } => {
                let order = if *reversed { " backwards" } else { "" };
                let (pattern, sequence) = (show(pattern), show(sequence));
                let check = checked(*verify);
                self.line(format_args!("for {pattern} in {sequence}{order}{check}"));
                self.block(body);
            }
            Kind::Call(call) => self.line(format_args!("{}", show_call(call))),
            Kind::Block(block) => {
                self.line(format_args!("block"));
                self.block(block);
            }
            Kind::Host(host) => self.line(format_args!("host {}", show(&host.0))),
        }
    }
}

fn show(tokens: &impl ToTokens) -> String {
    text::of(tokens)
}

fn checked(verify: bool) -> &'static str {
    if verify { "  (checked)" } else { "" }
}

fn ancilla(a: &Ancilla) -> String {
    let ty = a.ty.as_ref().map(|ty| format!(": {}", show(ty))).unwrap_or_default();
    format!("{}{ty} = {}", a.name, show(&a.value))
}

fn show_call(call: &Call) -> String {
    let word = match call.direction {
        Direction::Forward => "call",
        Direction::Inverse => "uncall",
        Direction::Adjoint => "adjoint",
        Direction::InverseAdjoint => "inverse adjoint",
        Direction::Gradient => "gradient",
        Direction::Pullback | Direction::Backward => "pull back",
    };
    let arguments: Vec<_> = call.arguments.iter().map(show).collect();
    let callee = match &call.callee {
        Callee::Function(path) | Callee::Associated(path) => show(path),
        Callee::Value(name) => name.to_string(),
        Callee::Method { receiver, name, turbofish } => {
            let turbofish = turbofish.as_ref().map(show).unwrap_or_default();
            format!("{}.{name}{turbofish}", show(receiver))
        }
    };
    format!("{word} {callee}({})", arguments.join(", "))
}
