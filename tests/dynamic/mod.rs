//! Layouts that are known at run time: values and columns of them, beside the codec that the derive makes.

mod arguments;
mod columns;
mod nested_words;
mod numbers;
mod one_meaning;
mod random_layouts;
mod spans;
mod typed;
mod value;
mod value_memory;
