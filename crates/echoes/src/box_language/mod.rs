pub mod ast;
pub use ast::BoxText;
