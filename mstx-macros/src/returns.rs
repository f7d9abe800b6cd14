//! What the return type of a function says.

use crate::groups::{MakeVisible, ours};
use syn::visit_mut::{self, VisitMut};
use syn::{Token, Type, TypeImplTrait, TypeInfer, TypeParamBound};

/// The type as it can be written inside the function: `impl Trait` is a type there that only the
/// compiler can name.
pub(crate) fn nameable(ty: &Type) -> Type {
    let mut ty = ty.clone();
    MakeVisible.visit_type_mut(&mut ty);
    ReplaceOpaque.visit_type_mut(&mut ty);
    ty
}

struct ReplaceOpaque;

impl VisitMut for ReplaceOpaque {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(_) = ty {
            *ty = Type::Infer(TypeInfer { attrs: Vec::new(), underscore_token: Token![_](ours()) });
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// Somewhere in the type is an `impl Trait`.
pub(crate) fn is_opaque(ty: &Type) -> bool {
    let mut finder = FindOpaque { any: false, closure: false };
    finder.visit_type_mut(&mut ty.clone());
    finder.any
}

/// Somewhere in the type is an `impl Fn(..)`.
pub(crate) fn has_closure(ty: &Type) -> bool {
    let mut finder = FindOpaque { any: false, closure: false };
    finder.visit_type_mut(&mut ty.clone());
    finder.closure
}

struct FindOpaque {
    any: bool,
    closure: bool,
}

impl VisitMut for FindOpaque {
    fn visit_type_impl_trait_mut(&mut self, ty: &mut TypeImplTrait) {
        const FAMILY: [&str; 6] = ["Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce"];
        self.any = true;
        self.closure |= ty.bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => bound
                .path
                .segments
                .last()
                .is_some_and(|last| FAMILY.iter().any(|name| last.ident == name)),
            _ => false,
        });
        visit_mut::visit_type_impl_trait_mut(self, ty);
    }
}

/// Whether a function with this return type can fail with an `Err`: a type that may have been named
/// by the user can.
pub(crate) fn may_be_result(ty: &Type) -> bool {
    const OTHERS: [&str; 28] = [
        "Arc", "Box", "Cow", "NonNull", "Option", "Ordering", "Pin", "Rc", "String", "Vec", "bool",
        "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32",
        "u64", "u8", "usize", "NonZeroUsize",
    ];
    match ty {
        Type::Group(ty) => may_be_result(&ty.elem),
        Type::Paren(ty) => may_be_result(&ty.elem),
        Type::Path(ty) => {
            let last = ty.path.segments.last();
            !last.is_some_and(|last| OTHERS.iter().any(|name| last.ident == name))
        }
        Type::Macro(_) | Type::Verbatim(_) => true,
        _ => false,
    }
}
