//! What the compiler makes of one function, stage by stage, as text.

use crate::highlight::Language;
use proc_macro2::TokenStream;
use retrograde_compiler::expand::{Directions, Options, Which};
use retrograde_compiler::find::Found;
use retrograde_compiler::ir::Block;
use retrograde_compiler::print;

/// A stage that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The intermediate representation, of the function and of its inverse.
    Ir,
    /// The Rust that runs forward.
    Forward,
    /// The Rust that runs backward.
    Inverse,
    /// The Rust that runs backward with the gradient.
    Adjoint,
    /// The Rust that runs forward with the gradient, and undoes the adjoint.
    InverseAdjoint,
    /// The adjoint where only the gradients are looked at.
    Gradient,
    /// The C++ of all directions, for a graphics processor.
    Device,
}

impl Stage {
    /// All stages, in the order of the pipeline.
    pub const ALL: [Stage; 7] = [
        Stage::Ir,
        Stage::Forward,
        Stage::Inverse,
        Stage::Adjoint,
        Stage::InverseAdjoint,
        Stage::Gradient,
        Stage::Device,
    ];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Ir => "ir",
            Stage::Forward => "forward",
            Stage::Inverse => "inverse",
            Stage::Adjoint => "adjoint",
            Stage::InverseAdjoint => "inverse-adjoint",
            Stage::Gradient => "gradient",
            Stage::Device => "device",
        }
    }

    /// The stage of that name.
    pub fn named(name: &str) -> Option<Self> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// A text with its title.
pub struct Section {
    /// What it is.
    pub title: String,
    /// The text, with a newline at its end.
    pub text: String,
    /// What the text is written in.
    pub language: Language,
}

/// A function that passed all checks.
pub struct Stages {
    directions: Directions,
    device: Option<String>,
}

impl Stages {
    /// Compiles a function, for people to read.
    pub fn of(found: &Found) -> syn::Result<Self> {
        let options = Options { readable: true, ..Options::default() };
        Ok(Stages { directions: found.compile(options)?, device: found.on_device(options)? })
    }

    /// The representation of the body, in one direction.
    pub fn ir(&self, inverse: bool) -> String {
        self.block(inverse).map(print::block).unwrap_or_default()
    }

    /// The Rust of one direction.
    pub fn rust(&self, which: Which) -> String {
        format(self.directions.emit_one(which))
    }

    /// The texts that make up a stage.
    pub fn sections(&self, stage: Stage) -> Vec<Section> {
        let section = |title: String, text, language| Section { title, text, language };
        let name = &self.directions.function.signature.ident;
        let associated = self.directions.function.associated;
        let called = |function| {
            if associated { format!("{name}_{function}") } else { format!("{name}::{function}") }
        };
        match stage {
            Stage::Ir => [("ir", false), ("ir of the inverse", true)]
                .map(|(title, inverse)| {
                    let empty = Block::new();
                    let block = self.block(inverse).unwrap_or(&empty);
                    let text = print::function(&self.directions.function, block);
                    section(title.to_string(), text, Language::Ir)
                })
                .into(),
            Stage::Forward => {
                vec![section("forward".into(), self.rust(Which::Forward), Language::Rust)]
            }
            Stage::Inverse => {
                let title = format!("inverse, called as `{}`", called("inverse"));
                vec![section(title, self.rust(Which::Inverse), Language::Rust)]
            }
            Stage::Device => {
                let text = self.device.iter().cloned();
                let title = || "on a device, for `retrograde-gpu`".to_string();
                text.map(|text| section(title(), text, Language::Rust)).collect()
            }
            _ if self.directions.gradients.is_none() => Vec::new(),
            Stage::Adjoint => {
                let title = format!("adjoint, called as `{}`", called("adjoint"));
                vec![section(title, self.rust(Which::Adjoint), Language::Rust)]
            }
            Stage::InverseAdjoint => {
                let name = called("inverse_adjoint");
                let title = format!("adjoint of the inverse, called as `{name}`");
                vec![section(title, self.rust(Which::InverseAdjoint), Language::Rust)]
            }
            Stage::Gradient if self.directions.gradient().is_none() => Vec::new(),
            Stage::Gradient => {
                let title = format!("gradient, run by `{}`", called("gradient"));
                vec![section(title, self.rust(Which::Gradient), Language::Rust)]
            }
        }
    }

    /// `None` for a required method of a trait.
    fn block(&self, inverse: bool) -> Option<&Block> {
        if inverse {
            self.directions.inverse.as_ref()
        } else {
            self.directions.function.body.as_ref()
        }
    }
}

/// A function, laid out.
fn format(function: TokenStream) -> String {
    // The printer knows whole files only, and a function without a body stands
    // in none, but in a trait.
    let text = function.to_string();
    if let Some(signature) = text.strip_suffix(';')
        && let Ok(file) = syn::parse_file(&format!("{signature} {{}}"))
    {
        let text = prettyplease::unparse(&file);
        return text.trim_end().trim_end_matches("{}").trim_end().to_string() + ";\n";
    }
    match syn::parse2(function) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => text + "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_a_body() {
        let tokens = "fn f<T>(x: &T) where T: Copy;".parse().unwrap();
        assert_eq!(format(tokens), "fn f<T>(x: &T)\nwhere\n    T: Copy,;\n");
    }

    #[test]
    fn stages_are_found_by_their_names() {
        for stage in Stage::ALL {
            assert_eq!(Stage::named(stage.name()), Some(stage));
        }
        assert_eq!(Stage::named("backward"), None);
    }
}
