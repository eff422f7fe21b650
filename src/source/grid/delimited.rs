//! Comma-separated values as RFC 4180 has them, with the place of each cell. The delimiter is the one that the first line uses.

use std::sync::Arc;

use csv_core::{ReadFieldResult, ReaderBuilder};

use super::{Cell, Fault, Grid, Row, assemble};
use crate::source::{FileId, Span, Spanned};

/// The delimiters that are looked for, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Reads `text`, which is file `file`.
pub(super) fn read(file: FileId, text: &str, tabs: bool, faults: &mut Vec<Fault>) -> Grid {
    let delimiter = if tabs { b'\t' } else { delimiter(text) };
    let mut rows = Splitter::new(file, text, delimiter).rows(faults);
    let width = rows.first().map_or(0, |row| row.cells.len());
    for row in rows.iter_mut().filter(|row| row.cells.len() < width && row.cells.len() > 1) {
        row.cut_at = Some(row.cells.len());
        faults.push(Fault {
            message: format!("row {} has {} cells, the first row has {width}", row.number, row.cells.len()),
            span: Some(row.span),
            help: "a row that is cut short may have lost text: leave cells empty, but keep the delimiters",
        });
    }
    assemble(rows, faults)
}

/// The delimiter that stands most often in the first line, outside quotes.
fn delimiter(text: &str) -> u8 {
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let outside: Vec<u8> = head.split('"').step_by(2).flat_map(str::bytes).collect();
    let count = |delimiter: &u8| outside.iter().filter(|byte| *byte == delimiter).count();
    let most = DELIMITERS.iter().rev().max_by_key(|delimiter| count(delimiter));
    most.copied().filter(|delimiter| count(delimiter) > 0).unwrap_or(b',')
}

/// Splits a text into cells, counting the bytes that each of them took.
struct Splitter<'t> {
    file: FileId,
    text: &'t str,
    delimiter: u8,
    at: usize,
    lines: usize,
}

impl<'t> Splitter<'t> {
    fn new(file: FileId, text: &'t str, delimiter: u8) -> Self {
        Splitter { file, text, delimiter, at: 0, lines: 1 }
    }

    fn rows(mut self, faults: &mut Vec<Fault>) -> Vec<Row> {
        let mut reader = ReaderBuilder::new().delimiter(self.delimiter).build();
        // A cell is never longer than what it is written with.
        let mut buffer = vec![0; self.text.len().max(1)];
        let mut rows = Vec::new();
        let mut cells: Vec<Cell> = Vec::new();
        let mut number = 1;
        loop {
            let start = self.at;
            let (result, taken, made) = reader.read_field(&self.text.as_bytes()[start..], &mut buffer);
            self.at += taken;
            let record_end = match result {
                ReadFieldResult::Field { record_end } => record_end,
                // The whole text was given: what is asked for now is the end.
                ReadFieldResult::InputEmpty if taken > 0 || made > 0 => {
                    let (last, _, more) = reader.read_field(&[], &mut buffer[made..]);
                    if !matches!(last, ReadFieldResult::Field { .. }) {
                        break;
                    }
                    cells.push(self.cell(start, &buffer[..made + more], &mut number, cells.is_empty(), faults));
                    rows.extend(self.row(&mut cells, number));
                    break;
                }
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull | ReadFieldResult::End => break,
            };
            cells.push(self.cell(start, &buffer[..made], &mut number, cells.is_empty(), faults));
            if record_end {
                rows.extend(self.row(&mut cells, number));
            }
        }
        rows
    }

    /// The cell that was written from byte `start` up to here.
    fn cell(&mut self, start: usize, bytes: &[u8], number: &mut usize, first: bool, faults: &mut Vec<Fault>) -> Cell {
        let written = &self.text[start..self.at];
        let lead = if first { written.len() - written.trim_start_matches(['\r', '\n']).len() } else { 0 };
        self.lines += written[..lead].matches('\n').count();
        if first {
            *number = self.lines;
        }
        let written = &written[lead..];
        let delimiter = self.delimiter as char;
        let body = written.strip_suffix([delimiter, '\n', '\r']).unwrap_or(written);
        let body = body.strip_suffix('\r').unwrap_or(body);
        let span = Span::new(self.file, start + lead..start + lead + body.len());
        self.judge_quotes(body, span, *number, faults);
        // A line break at the end is the row's; one inside quotes is the cell's, and a spreadsheet does not count it.
        self.lines += usize::from(written.ends_with('\n'));
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        Spanned::new(Arc::from(text), span)
    }

    fn judge_quotes(&self, body: &str, span: Span, number: usize, faults: &mut Vec<Fault>) {
        if !body.starts_with('"') {
            return;
        }
        let closed = body.len() > 1 && body.ends_with('"') && body.matches('"').count().is_multiple_of(2);
        let stray = closed && body[1..body.len() - 1].replace("\"\"", "").contains('"');
        if closed && !stray {
            return;
        }
        faults.push(Fault {
            message: format!("row {number}: the quotes of this cell do not close where it ends"),
            span: Some(Span { end: span.end.min(span.start + 1), ..span }),
            help: "put the whole cell into quotes, and double each quote inside it",
        });
    }

    fn row(&self, cells: &mut Vec<Cell>, number: usize) -> Option<Row> {
        let cells = std::mem::take(cells);
        let (first, last) = (cells.first()?.span, cells.last()?.span);
        Some(Row { number, span: Span { end: last.end, ..first }, cells, cut_at: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read_text(text: &str) -> (Grid, Vec<Fault>) {
        let mut faults = Vec::new();
        let grid = read(Sources::default().add("t.csv", text), text, false, &mut faults);
        (grid, faults)
    }

    fn texts(grid: &Grid) -> Vec<Vec<&str>> {
        grid.rows.iter().map(|row| row.cells.iter().map(|cell| &*cell.value).collect()).collect()
    }

    #[test]
    fn cells_are_what_was_typed_and_know_their_place() {
        let text = "id,name,n\r\na,\"one, \"\"two\"\"\r\nthree\",007\r\n\r\nb,None,1e3";
        let (grid, faults) = read_text(text);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(texts(&grid), [["a", "one, \"two\"\nthree", "007"], ["b", "None", "1e3"]]);
        let written: Vec<&str> = grid.rows.iter().flat_map(|row| &row.cells).map(|c| &text[c.span.range()]).collect();
        assert_eq!(written, ["a", "\"one, \"\"two\"\"\r\nthree\"", "007", "b", "None", "1e3"]);
        assert_eq!(grid.rows.iter().map(|row| row.number).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn the_first_line_shows_the_delimiter() {
        for (text, delimiter) in [("a;b;\"x,y,z\"\n", b';'), ("a\tb", b'\t'), ("a|b", b'|'), ("a", b','), ("", b',')] {
            assert_eq!(super::delimiter(text), delimiter, "{text:?}");
        }
    }

    #[test]
    fn what_would_lose_text_is_a_fault() {
        for text in [
            "id,a\nx,1,2\n",
            "id,a,b\nx,1\n",
            "id,a\nx,\"never closed\ny,2\n",
            "id,a\nx,\"two\" words\n",
            "id,id\nx,y\n",
            "id,\nx,y\n",
            "",
        ] {
            assert_eq!(read_text(text).1.len(), 1, "{text:?}: {:?}", read_text(text).1);
        }
    }
}
