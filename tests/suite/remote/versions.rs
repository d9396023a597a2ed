//! Clients with other versions of Quadrille.

use super::process::OpenTable;
use crate::common::program::{command, finish};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

fn answers(table: &OpenTable, said: &str) -> Vec<String> {
    let mut stream = UnixStream::connect(&table.socket).unwrap();
    stream.write_all(said.as_bytes()).unwrap();
    BufReader::new(stream).lines().map_while(Result::ok).collect()
}

#[test]
fn other_version_guest_is_served_or_refused() {
    let table = OpenTable::open("quixo");
    let older = answers(&table, "quadrille-table 1 0.0.1\nhello Bob\n");
    assert_eq!(older, ["no this table needs protocol version 2 or later; update Quadrille"]);
    // A later version speaks the table's version, with a word that the table does not know.
    let said = "quadrille-table 3 9.9\ncolour blue\nhello Bob lamp on\nhave 0 0\nbye\n";
    let later = answers(&table, said);
    let greeting = format!("quadrille-table 2 {} id ", env!("CARGO_PKG_VERSION"));
    assert!(later[0].starts_with(&greeting) && later[0].ends_with(" host Ann"), "{later:?}");
    assert!(later[1].starts_with("welcome 2 "), "{later:?}");
    assert_eq!(later.last().unwrap(), "closed bye");
}

#[test]
fn join_refuses_a_table_of_another_version() {
    let home = tempfile::tempdir().unwrap();
    for version in ["1", "3"] {
        let via = format!("sh -c 'echo quadrille-table {version} 9.9; cat >/dev/null'");
        let join = finish(&mut command(home.path(), &["join", "--plain", "--via", &via]), b"");
        let told = format!(
            "the table uses protocol version {version}, this program 2; install the same Quadrille on both machines"
        );
        assert_eq!(join.fails(1), told);
    }
}
