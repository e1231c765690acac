//! Walks over syntax trees, as `syn::visit` and `syn::visit_mut` do, compiled once.
//!
//! Those are compiled anew for each type that visits: two hundred functions for each of the
//! eighty here, which took most of the time that this crate took to build. Here all visitors go
//! through one, which calls them by a table, and it is not put into each of them again where the
//! optimiser inlines.

use proc_macro2::{Ident, TokenStream};
use syn::*;

macro_rules! visited {
    ($($visit:ident: $node:ident),* $(,)?) => {
        /// Looks at the nodes of a syntax tree.
        pub trait Visit<'e>: Erased<'e> {
            $(
                #[allow(missing_docs)]
                fn $visit(&mut self, node: &'e $node) {
                    $visit(self, node);
                }
            )*

            /// The text of a macro, which has no parts.
            fn visit_token_stream(&mut self, _tokens: &'e TokenStream) {}
        }

        $(
            /// Visits the parts of a node.
            pub fn $visit<'e>(visitor: &mut (impl Visit<'e> + ?Sized), node: &'e $node) {
                #[inline(never)]
                fn through<'e>(visitor: &mut (dyn Visit<'e> + '_), node: &'e $node) {
                    syn::visit::$visit(&mut Through(visitor), node);
                }
                through(visitor.erased(), node);
            }
        )*

        /// The one visitor that is compiled.
        struct Through<'v, 'e>(&'v mut (dyn Visit<'e> + 'v));

        impl<'e> syn::visit::Visit<'e> for Through<'_, 'e> {
            $(
                fn $visit(&mut self, node: &'e $node) {
                    self.0.$visit(node);
                }
            )*

            fn visit_token_stream(&mut self, tokens: &'e TokenStream) {
                self.0.visit_token_stream(tokens);
            }
        }
    };
}

macro_rules! changed {
    ($($visit:ident: $node:ident),* $(,)?) => {
        /// Changes the nodes of a syntax tree.
        pub trait VisitMut: ErasedMut {
            $(
                #[allow(missing_docs)]
                fn $visit(&mut self, node: &mut $node) {
                    $visit(self, node);
                }
            )*
        }

        $(
            /// Visits the parts of a node.
            pub fn $visit(visitor: &mut (impl VisitMut + ?Sized), node: &mut $node) {
                #[inline(never)]
                fn through(visitor: &mut (dyn VisitMut + '_), node: &mut $node) {
                    syn::visit_mut::$visit(&mut ThroughMut(visitor), node);
                }
                through(visitor.erased_mut(), node);
            }
        )*

        /// The one visitor that is compiled.
        struct ThroughMut<'v>(&'v mut (dyn VisitMut + 'v));

        impl syn::visit_mut::VisitMut for ThroughMut<'_> {
            $(
                fn $visit(&mut self, node: &mut $node) {
                    self.0.$visit(node);
                }
            )*
        }
    };
}

// A node that no visitor asks for is not listed.
visited! {
    visit_arm: Arm,
    visit_attribute: Attribute,
    visit_block: Block,
    visit_expr: Expr,
    visit_expr_binary: ExprBinary,
    visit_expr_call: ExprCall,
    visit_expr_closure: ExprClosure,
    visit_expr_field: ExprField,
    visit_expr_for_loop: ExprForLoop,
    visit_expr_index: ExprIndex,
    visit_expr_method_call: ExprMethodCall,
    visit_expr_path: ExprPath,
    visit_expr_reference: ExprReference,
    visit_field_pat: FieldPat,
    visit_file: File,
    visit_fn_arg: FnArg,
    visit_ident: Ident,
    visit_impl_item_fn: ImplItemFn,
    visit_item: Item,
    visit_item_fn: ItemFn,
    visit_item_impl: ItemImpl,
    visit_item_mod: ItemMod,
    visit_item_trait: ItemTrait,
    visit_lifetime: Lifetime,
    visit_lit_float: LitFloat,
    visit_local: Local,
    visit_macro: Macro,
    visit_pat: Pat,
    visit_pat_ident: PatIdent,
    visit_pat_reference: PatReference,
    visit_path: Path,
    visit_receiver: Receiver,
    visit_signature: Signature,
    visit_stmt: Stmt,
    visit_trait_item_fn: TraitItemFn,
    visit_type: Type,
    visit_type_impl_trait: TypeImplTrait,
    visit_type_param_bound: TypeParamBound,
    visit_type_path: TypePath,
    visit_type_reference: TypeReference,
    visit_visibility: Visibility,
    visit_where_predicate: WherePredicate,
}

changed! {
    visit_block_mut: Block,
    visit_expr_mut: Expr,
    visit_expr_binary_mut: ExprBinary,
    visit_expr_call_mut: ExprCall,
    visit_expr_index_mut: ExprIndex,
    visit_expr_match_mut: ExprMatch,
    visit_expr_method_call_mut: ExprMethodCall,
    visit_expr_range_mut: ExprRange,
    visit_field_pat_mut: FieldPat,
    visit_field_value_mut: FieldValue,
    visit_fn_arg_mut: FnArg,
    visit_impl_item_fn_mut: ImplItemFn,
    visit_item_mut: Item,
    visit_item_fn_mut: ItemFn,
    visit_lifetime_mut: Lifetime,
    visit_local_mut: Local,
    visit_macro_mut: Macro,
    visit_parenthesized_generic_arguments_mut: ParenthesizedGenericArguments,
    visit_pat_mut: Pat,
    visit_pat_ident_mut: PatIdent,
    visit_path_mut: Path,
    visit_stmt_mut: Stmt,
    visit_type_mut: Type,
    visit_type_fn_ptr_mut: TypeFnPtr,
    visit_type_reference_mut: TypeReference,
}

/// A visitor whose type is not known.
pub trait Erased<'e> {
    /// The visitor.
    fn erased(&mut self) -> &mut (dyn Visit<'e> + '_);
}

impl<'e, V: Visit<'e>> Erased<'e> for V {
    fn erased(&mut self) -> &mut (dyn Visit<'e> + '_) {
        self
    }
}

/// As [`Erased`], of one that changes what it visits.
pub trait ErasedMut {
    /// The visitor.
    fn erased_mut(&mut self) -> &mut (dyn VisitMut + '_);
}

impl<V: VisitMut> ErasedMut for V {
    fn erased_mut(&mut self) -> &mut (dyn VisitMut + '_) {
        self
    }
}
