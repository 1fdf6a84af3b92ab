use super::*;

options! {
    struct Options {
        schema: Text = Setting::new("schema", "TEXT", "what it is");
        strict: () = Setting::switch("strict", "refuse");
        order: Order = Setting::new("order", "ORDER", "of the cells").env("ORDER");
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    Row,
    Column,
    Hilbert,
}

impl Choice for Order {
    const WORDS: &[(&str, Self)] =
        &[("row", Order::Row), ("column", Order::Column), ("hilbert", Order::Hilbert)];
}

#[test]
fn options_are_declared_once() {
    let names: Vec<&str> = Options::LIST.iter().map(|setting| setting.name).collect();
    assert_eq!(names, ["schema", "strict", "order"]);
    let mut settings = Settings::default();
    settings.insert("order", "column".into(), true);
    settings.insert("strict", String::new(), false);
    let options = Options::of(&settings).unwrap();
    assert_eq!(options.order.value(), Some(&Order::Column));
    assert!(!options.order.is_on_command_line() && options.strict.is_on_command_line());
    assert!(!options.schema.is_given() && options.schema.refused().is_ok());
    let text = |e: Error| e.message().unwrap().text.clone();
    assert_eq!(text(options.strict.refused().unwrap_err()), "--strict means nothing to this command");
    let e = settings.check_for(&Options::LIST[..1], "sample file").unwrap_err();
    assert_eq!(text(e), "--strict means nothing for a sample file");
    settings.insert("order", "col\n".into(), false);
    let e = Options::of(&settings).err().unwrap();
    assert_eq!(text(e), "--order must be row, column or hilbert, not `col\\n`");
}
