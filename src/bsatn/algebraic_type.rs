//! Types as values: what a tool knows about rows that no Rust type stands for.

use AlgebraicType::{Array, Product, Ref, String, Sum, U32};

/// A type of BSATN.
///
/// As a value of BSATN it is a sum, with the tags in the order of the variants from 0:
///
/// | tag | variant | payload |
/// |---|---|---|
/// | 0 | `Ref` | u32, an index into the types around it |
/// | 1, 2 | `Sum`, `Product` | array of elements: option of string, type |
/// | 3 | `Array` | type |
/// | 4, 5 | `String`, `Bool` | |
/// | 6 .. 17 | `I8`, `U8`, `I16`, `U16`, .., `I256`, `U256` | |
/// | 18, 19 | `F32`, `F64` | |
///
/// [`META_TYPES`](Self::META_TYPES) says the same to a [`Walker`](super::Walker).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the format's own names")]
pub enum AlgebraicType<'t> {
    /// Another type, by its index.
    Ref(u32),
    /// One of these variants, with a tag in front.
    Sum(&'t [Element<'t>]),
    /// All of these fields.
    Product(&'t [Element<'t>]),
    /// Any number of these.
    Array(&'t Self),
    String,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    I256,
    U256,
    F32,
    F64,
}

/// A field of a product, or a variant of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'t> {
    /// The name, where there is one.
    pub name: Option<&'t str>,
    /// The type of the field, or of the variant's payload.
    pub ty: AlgebraicType<'t>,
}

impl<'t> Element<'t> {
    /// An element with a name.
    #[must_use]
    pub const fn new(name: &'t str, ty: AlgebraicType<'t>) -> Self {
        Self { name: Some(name), ty }
    }
}

/// No field.
const UNIT: AlgebraicType<'static> = Product(&[]);

/// The one type of [`AlgebraicType::META_TYPES`].
const META: AlgebraicType<'static> = Ref(0);

const ELEMENTS: AlgebraicType<'static> = Array(&Product(&[
    Element::new("name", Sum(&[Element::new("some", String), Element::new("none", UNIT)])),
    Element::new("algebraic_type", META),
]));

impl AlgebraicType<'static> {
    /// The type that types have as values of BSATN: `Ref(0)` in these types.
    pub const META_TYPES: &'static [Self] = &[Sum(&[
        Element::new("Ref", U32),
        Element::new("Sum", Product(&[Element::new("variants", ELEMENTS)])),
        Element::new("Product", Product(&[Element::new("elements", ELEMENTS)])),
        Element::new("Array", META),
        Element::new("String", UNIT),
        Element::new("Bool", UNIT),
        Element::new("I8", UNIT),
        Element::new("U8", UNIT),
        Element::new("I16", UNIT),
        Element::new("U16", UNIT),
        Element::new("I32", UNIT),
        Element::new("U32", UNIT),
        Element::new("I64", UNIT),
        Element::new("U64", UNIT),
        Element::new("I128", UNIT),
        Element::new("U128", UNIT),
        Element::new("I256", UNIT),
        Element::new("U256", UNIT),
        Element::new("F32", UNIT),
        Element::new("F64", UNIT),
    ])];
}
