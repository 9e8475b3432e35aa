//! Just enough of macros by example to see which items the library's own macros make.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The items of an invocation of a `macro_rules!` with one rule: a repetition and nothing else.
pub(crate) fn expand(rules: &TokenStream, invocation: &TokenStream) -> TokenStream {
    let rules: Vec<TokenTree> = rules.clone().into_iter().collect();
    let [TokenTree::Group(matcher), _, _, TokenTree::Group(body), ..] = rules.as_slice() else {
        panic!("not a rule: {rules:?}");
    };
    let matcher: Vec<TokenTree> = matcher.stream().into_iter().collect();
    let [TokenTree::Punct(dollar), TokenTree::Group(row), end @ ..] = matcher.as_slice() else {
        panic!("not a repetition: {matcher:?}");
    };
    assert_eq!(dollar.as_char(), '$');
    let separated = end.len() == 2;
    let rows = rows(&row.stream(), separated, invocation);
    transcribe(body.stream(), &rows, None)
}

type Row = HashMap<String, TokenTree>;

/// What the variables stand for, in each repetition. A variable is one token.
fn rows(row: &TokenStream, separated: bool, invocation: &TokenStream) -> Vec<Row> {
    let mut input = invocation.clone().into_iter().peekable();
    let mut rows = Vec::new();
    while input.peek().is_some() {
        let mut variables = Row::new();
        let mut pattern = row.clone().into_iter();
        while let Some(token) = pattern.next() {
            let given = input.next().expect("the invocation ends inside a repetition");
            if is_punct(&token, '$') {
                let name = pattern.next().expect("a variable has a name");
                // The colon and the kind.
                pattern.nth(1).expect("a variable has a kind");
                variables.insert(name.to_string(), given);
            }
        }
        if separated {
            input.next();
        }
        rows.push(variables);
    }
    rows
}

fn transcribe(body: TokenStream, rows: &[Row], row: Option<&Row>) -> TokenStream {
    let mut out = Vec::new();
    let mut body = body.into_iter();
    while let Some(token) = body.next() {
        match token {
            token if is_punct(&token, '$') => match body.next() {
                Some(TokenTree::Group(group)) => {
                    for row in rows {
                        out.extend(transcribe(group.stream(), rows, Some(row)));
                    }
                    let end = body.next().expect("a repetition says how often");
                    assert!(is_punct(&end, '*'), "no separators in what is repeated");
                }
                Some(TokenTree::Ident(name)) => out.push(value(row, &name)),
                other => panic!("unknown after a dollar: {other:?}"),
            },
            TokenTree::Group(group) => {
                let inner = transcribe(group.stream(), rows, row);
                out.push(Group::new(group.delimiter(), inner).into());
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}

fn value(row: Option<&Row>, name: &Ident) -> TokenTree {
    let value = row.and_then(|row| row.get(&name.to_string()));
    value.unwrap_or_else(|| panic!("${name} stands for nothing")).clone()
}

pub(crate) fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// The names of all functions that are written in these tokens, at any depth, but for those with
/// two underscores in front: they are private.
pub(crate) fn functions(tokens: TokenStream, found: &mut Vec<String>) {
    let mut after_fn = false;
    for token in tokens {
        if let TokenTree::Ident(name) = &token
            && after_fn
            && !name.to_string().starts_with("__")
        {
            found.push(name.to_string());
        }
        after_fn = matches!(&token, TokenTree::Ident(name) if name == "fn");
        if let TokenTree::Group(group) = token {
            functions(group.stream(), found);
        }
    }
}

/// The name that an invocation of `template!` defines.
pub(crate) fn template_name(tokens: TokenStream) -> String {
    let mut last = String::new();
    for token in tokens {
        match token {
            token if is_punct(&token, '=') => break,
            TokenTree::Ident(name) => last = name.to_string(),
            TokenTree::Group(group) => assert_ne!(group.delimiter(), Delimiter::None),
            _ => {}
        }
    }
    last
}
