//! What the return type of a function says.

use crate::groups::{MakeVisible, ours};
use syn::visit_mut::{self, VisitMut};
use syn::{Token, Type, TypeImplTrait, TypeInfer, TypeParamBound};

/// The type as it can be written inside the function: `impl Trait` is a type there that only the compiler can name.
pub(crate) fn nameable(ty: &Type) -> Type {
    let mut ty = ty.clone();
    MakeVisible.visit_type_mut(&mut ty);
    ReplaceOpaque.visit_type_mut(&mut ty);
    ty
}

struct ReplaceOpaque;

impl VisitMut for ReplaceOpaque {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(opaque) = ty {
            let place = ours().located_at(opaque.impl_token.span);
            *ty = Type::Infer(TypeInfer { attrs: Vec::new(), underscore_token: Token![_](place) });
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// Somewhere in the type is an `impl Trait`.
pub(crate) fn is_opaque(ty: &Type) -> bool {
    FindOpaque::look(ty).any
}

/// Somewhere in the type is an `impl Fn(..)`.
pub(crate) fn has_closure(ty: &Type) -> bool {
    FindOpaque::look(ty).closure
}

#[derive(Default)]
struct FindOpaque {
    any: bool,
    closure: bool,
}

impl FindOpaque {
    fn look(ty: &Type) -> FindOpaque {
        let mut finder = FindOpaque::default();
        finder.visit_type_mut(&mut ty.clone());
        finder
    }
}

impl VisitMut for FindOpaque {
    fn visit_type_impl_trait_mut(&mut self, ty: &mut TypeImplTrait) {
        const FAMILY: [&str; 6] = ["Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce"];
        self.any = true;
        self.closure |= ty.bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => {
                bound.path.segments.last().is_some_and(|last| FAMILY.iter().any(|name| last.ident == name))
            }
            _ => false,
        });
        visit_mut::visit_type_impl_trait_mut(self, ty);
    }
}

/// Whether a function with this return type can fail with an `Err`. A type that the user has named may be a `Result`.
pub(crate) fn may_be_result(ty: &Type) -> bool {
    #[rustfmt::skip]
    const OTHERS: [&str; 29] = [
        "Arc", "Box", "Cow", "NonNull", "NonZeroUsize", "Option", "Ordering", "Pin", "Poll", "Rc", "String", "Vec",
        "bool", "char", "str", "f32", "f64",
        "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    ];
    match ty {
        Type::Paren(ty) => may_be_result(&ty.elem),
        Type::Path(ty) => {
            let last = ty.path.segments.last();
            !last.is_some_and(|last| OTHERS.iter().any(|name| last.ident == name))
        }
        Type::Macro(_) | Type::Verbatim(_) => true,
        _ => false,
    }
}
