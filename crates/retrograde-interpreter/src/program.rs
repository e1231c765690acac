//! A file, as tables: its functions, its structs, and what belongs to its types.

use crate::expansion::derived;
use quote::ToTokens;
use std::collections::HashMap;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Fields, File, ImplItem, Item, Meta, Signature, Type};

/// How a function runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Manner {
    /// As Rust does.
    Plain,
    /// As the language says: there and back.
    Reversible,
    /// As Rust does; backwards it is another one.
    Instruction {
        /// The name of the inverse.
        inverse: String,
    },
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its arguments.
    pub signature: Signature,
    /// Its body.
    pub body: Block,
    /// How it runs.
    pub manner: Manner,
    /// The type whose `impl` it stands in; empty if it is free.
    pub owner: String,
}

impl Function {
    fn of(attributes: &[Attribute], signature: Signature, body: Block, owner: &str) -> Self {
        let manner = manner(attributes, &signature);
        Function { signature, body, manner, owner: owner.into() }
    }
}

/// What a type has by one `impl`.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// The type.
    pub owner: String,
    /// The trait, if it is of one.
    pub of: Option<String>,
    /// The type or constant between the brackets of the trait: `f64` of `Mul<f64>`.
    pub with: Option<String>,
    /// The functions.
    pub functions: HashMap<String, Function>,
}

/// A struct.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The names of its fields, or their numbers.
    pub fields: Vec<String>,
    /// The types of its fields.
    pub types: Vec<Type>,
    /// What it derives.
    pub derives: Vec<String>,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Free functions.
    pub functions: HashMap<String, Function>,
    /// Structs.
    pub structs: HashMap<String, Definition>,
    /// What belongs to types.
    pub implementations: Vec<Implementation>,
    /// How many blocks with items of their own there were.
    blocks: usize,
}

/// Gives the items of a block names of their own.
struct Rename {
    names: Vec<syn::Ident>,
    number: usize,
}

impl VisitMut for Rename {
    fn visit_ident_mut(&mut self, name: &mut syn::Ident) {
        if self.names.contains(name) {
            *name = quote::format_ident!("{name}_{}", self.number);
        }
    }
}

impl Program {
    /// Takes a file apart.
    pub fn new(file: File) -> Self {
        let mut program = Program::default();
        program.add(file.items);
        program
    }

    fn add(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Fn(item) => {
                    let name = item.sig.ident.to_string();
                    let function = Function::of(&item.attrs, item.sig, *item.block, "");
                    self.functions.insert(name, function);
                }
                Item::Struct(item) => {
                    let fields = match &item.fields {
                        Fields::Named(fields) => fields
                            .named
                            .iter()
                            .filter_map(|field| field.ident.as_ref().map(ToString::to_string))
                            .collect(),
                        Fields::Unnamed(fields) => {
                            (0..fields.unnamed.len()).map(|i| i.to_string()).collect()
                        }
                        Fields::Unit => Vec::new(),
                    };
                    let types = item.fields.iter().map(|field| field.ty.clone()).collect();
                    let definition = Definition { fields, types, derives: derived(&item.attrs) };
                    self.structs.insert(item.ident.to_string(), definition);
                }
                Item::Impl(item) => {
                    let owner = key(&item.self_ty);
                    let (of, with) = match &item.trait_ {
                        Some((of, _)) => {
                            let segment = of.segments.last();
                            let with = segment.and_then(|segment| match &segment.arguments {
                                syn::PathArguments::AngleBracketed(inside) => {
                                    inside.args.iter().find_map(|a| match a {
                                        syn::GenericArgument::Type(ty) => Some(key(ty)),
                                        syn::GenericArgument::Const(e) => {
                                            Some(e.to_token_stream().to_string())
                                        }
                                        _ => None,
                                    })
                                }
                                _ => None,
                            });
                            (segment.map(|segment| segment.ident.to_string()), with)
                        }
                        None => (None, None),
                    };
                    let functions = item.items.into_iter().filter_map(|inside| match inside {
                        ImplItem::Fn(f) => {
                            let name = f.sig.ident.to_string();
                            Some((name, Function::of(&f.attrs, f.sig, f.block, &owner)))
                        }
                        _ => None,
                    });
                    let functions = functions.collect();
                    self.implementations.push(Implementation { owner, of, with, functions });
                }
                // `const _: () = { … };`, where items have names that nobody else sees.
                Item::Const(item) => {
                    if let syn::Expr::Block(block) = *item.expr {
                        let hidden = self.hidden(block.block);
                        self.add(hidden);
                    }
                }
                Item::Mod(item) => {
                    if let Some((_, items)) = item.content {
                        self.add(items);
                    }
                }
                _ => {}
            }
        }
    }

    /// The items of a block, under names that no other item has.
    fn hidden(&mut self, block: Block) -> Vec<Item> {
        self.blocks += 1;
        let items = block.stmts.into_iter().filter_map(|statement| match statement {
            syn::Stmt::Item(item) => Some(item),
            _ => None,
        });
        let mut items: Vec<Item> = items.collect();
        let names = items.iter().filter_map(|item| match item {
            Item::Fn(item) => Some(item.sig.ident.clone()),
            Item::Struct(item) => Some(item.ident.clone()),
            _ => None,
        });
        let mut rename = Rename { names: names.collect(), number: self.blocks };
        items.iter_mut().for_each(|item| rename.visit_item_mut(item));
        items
    }

    /// A function that belongs to a type, by any of its `impl`s.
    pub fn member(&self, owner: &str, name: &str) -> Option<&Function> {
        self.of_owner(owner).find_map(|implementation| implementation.functions.get(name))
    }

    /// A function of a trait, for a type, where the trait's own parameter is a type.
    pub fn of_trait(&self, of: &str, owner: &str, with: &str, name: &str) -> Option<&Function> {
        self.of_owner(owner)
            .filter(|implementation| implementation.of.as_deref() == Some(of))
            .find(|implementation| {
                let parameter = implementation.with.as_deref().unwrap_or(owner);
                parameter == with || parameter == "Self" && with == owner || with.is_empty()
            })
            .and_then(|implementation| implementation.functions.get(name))
    }

    /// Whether a struct, any if none is named, has a field of this name that is `#[constant]`.
    /// The name is its hash.
    pub fn has_constant_field(&self, owner: Option<&str>, name: &str) -> bool {
        self.implementations.iter().any(|implementation| {
            implementation.of.as_deref() == Some("ConstantField")
                && implementation.with.as_deref() == Some(name)
                && owner.is_none_or(|owner| implementation.owner == owner)
        })
    }

    fn of_owner(&self, owner: &str) -> impl Iterator<Item = &Implementation> {
        self.implementations.iter().filter(move |implementation| implementation.owner == owner)
    }

    /// Whether a struct derives something.
    pub fn derives(&self, name: &str, derive: &str) -> bool {
        self.structs.get(name).is_some_and(|s| s.derives.iter().any(|found| found == derive))
    }
}

/// How a function runs, by its attributes.
fn manner(attributes: &[Attribute], signature: &Signature) -> Manner {
    for attribute in attributes {
        if attribute.path().is_ident("reversible") {
            return Manner::Reversible;
        }
        if attribute.path().is_ident("instruction") {
            let Meta::List(list) = &attribute.meta else { continue };
            let mut inverse = signature.ident.to_string();
            let _ = list.parse_nested_meta(|meta| {
                if let Ok(value) = meta.value() {
                    let path: syn::Path = value.parse()?;
                    if meta.path.is_ident("inverse") {
                        inverse = path.to_token_stream().to_string();
                    }
                }
                Ok(())
            });
            return Manner::Instruction { inverse };
        }
    }
    Manner::Plain
}

/// A type, by the name under which its methods are found; see
/// [`Value::key`](crate::value::Value::key).
pub fn key(ty: &Type) -> String {
    match ty {
        Type::Reference(ty) => key(&ty.elem),
        Type::Paren(ty) => key(&ty.elem),
        Type::Group(ty) => key(&ty.elem),
        Type::Array(_) | Type::Slice(_) => "[]".into(),
        Type::Tuple(ty) if ty.elems.is_empty() => "()".into(),
        Type::Tuple(_) => "(,)".into(),
        Type::Path(ty) => {
            let name = ty.path.segments.last().map(|segment| segment.ident.to_string());
            match name.as_deref() {
                Some("Vec") => "[]".into(),
                // A type parameter stands for the number that the program runs on.
                Some(name) if name.len() == 1 && name.chars().all(char::is_uppercase) => {
                    "f64".into()
                }
                Some("f32") => "f64".into(),
                Some(name) => name.into(),
                None => String::new(),
            }
        }
        other => other.to_token_stream().to_string(),
    }
}
