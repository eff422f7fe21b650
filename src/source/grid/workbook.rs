//! Workbooks (XLSX, ODS): the cells of one sheet as text. As findings show lines of text, the sheet is also written as lines, one for
//! each row, cells apart by tabs.

use std::io::{Cursor, Read as _};
use std::sync::Arc;

use calamine::{Data, DataRef, Ods, Reader, Xlsx};

use super::{CELLS, COLUMNS, Row, SMALLER};
use crate::source::careful::careful;
use crate::source::{FileId, Span, Spanned};

/// The most bytes of a workbook, unpacked.
const UNPACKED: u64 = 128 << 20;
/// The most bytes of text of a sheet.
const TEXT: usize = 8 << 20;
/// The most spaces that an ODS sheet may write as a number.
const SPACES: u64 = 1 << 20;

/// Why a workbook cannot be read, and how to mend that.
type Why = (String, &'static str);

const SAVE_AGAIN: &str = "open it in a spreadsheet program and save it again";

/// The cells of a row, as texts with their places in the line.
pub(super) struct Line {
    number: usize,
    cells: Vec<(String, std::ops::Range<usize>)>,
}

impl Line {
    /// The row, with its places in `file`.
    pub fn placed(self, file: FileId) -> Row {
        let end = self.cells.last().map_or(0, |cell| cell.1.end);
        let start = self.cells.first().map_or(end, |cell| cell.1.start);
        let cells = self.cells.into_iter().map(|(text, range)| Spanned::new(Arc::from(text), Span::new(file, range)));
        Row { number: self.number, cells: cells.collect(), span: Span::new(file, start..end), cut_at: None }
    }
}

/// Reads the sheet `sheet` of a workbook, or its first. Returns the sheet as lines of text, and its rows; or why it cannot be read.
pub(super) fn read(bytes: Vec<u8>, is_ods: bool, sheet: Option<&str>) -> Result<(String, Vec<Line>), Why> {
    unpacks_sanely(&bytes)?;
    if is_ods {
        spaces_sane(&bytes)?;
    }
    let cells = careful(|| if is_ods { ods(bytes, sheet) } else { xlsx(bytes, sheet) });
    cells.unwrap_or_else(|| Err(("the workbook is broken".to_owned(), SAVE_AGAIN))).map(lines)
}

/// ODS writes spaces as a number of them, and the reader believes any number.
fn spaces_sane(bytes: &[u8]) -> Result<(), Why> {
    let broken = |error: zip::result::ZipError| (format!("this is no workbook: {error}"), SAVE_AGAIN);
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let mut content = Vec::new();
    let entry = archive.by_name("content.xml").map_err(broken)?;
    // What cannot be unpacked is told where the workbook is read.
    let _ = entry.take(UNPACKED).read_to_end(&mut content);
    let content = String::from_utf8_lossy(&content);
    let counts = content.split(":c=").skip(1).map(|rest| rest.trim_start_matches(['"', '\'']));
    let number =
        |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse::<u64>().ok());
    let spaces = counts.filter_map(number).fold(0_u64, u64::saturating_add);
    if spaces > SPACES {
        return Err((format!("the workbook has {spaces} spaces in a row"), SMALLER));
    }
    Ok(())
}

fn unpacks_sanely(bytes: &[u8]) -> Result<(), Why> {
    let broken = |error: zip::result::ZipError| (format!("this is no workbook: {error}"), SAVE_AGAIN);
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let mut total = 0_u64;
    for at in 0..archive.len() {
        total = total.saturating_add(archive.by_index_raw(at).map_err(broken)?.size());
    }
    if total > UNPACKED {
        return Err((
            format!("the workbook unpacks to {} MiB; at most {} are read", total >> 20, UNPACKED >> 20),
            SMALLER,
        ));
    }
    Ok(())
}

/// A cell: row and column from 0, and its text.
type Placed = (usize, usize, String);

fn xlsx(bytes: Vec<u8>, sheet: Option<&str>) -> Result<Vec<Placed>, Why> {
    let unreadable = |error: calamine::XlsxError| (format!("the workbook cannot be read: {error}"), SAVE_AGAIN);
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(unreadable)?;
    let name = sheet_name(&book.sheet_names(), sheet)?;
    let mut reader = book.worksheet_cells_reader(&name).map_err(unreadable)?;
    let mut cells: Vec<Placed> = Vec::new();
    let mut long = 0;
    while let Some(cell) = reader.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        cells.push((row as usize, column as usize, text(&Data::from(DataRef::clone(cell.get_value())))));
        long += cells.last().map_or(0, |cell| cell.2.len());
        if cells.len() > CELLS || long > TEXT {
            break;
        }
    }
    few_enough(&cells)?;
    Ok(cells)
}

fn ods(bytes: Vec<u8>, sheet: Option<&str>) -> Result<Vec<Placed>, Why> {
    let unreadable = |error: calamine::OdsError| (format!("the workbook cannot be read: {error}"), SAVE_AGAIN);
    let mut book: Ods<_> = Ods::new(Cursor::new(bytes)).map_err(unreadable)?;
    let name = sheet_name(&book.sheet_names(), sheet)?;
    let range = book.worksheet_range(&name).map_err(unreadable)?;
    let (top, left) = range.start().unwrap_or_default();
    let cells: Vec<Placed> = range
        .used_cells()
        .map(|(row, column, value)| (row + top as usize, column + left as usize, text(value)))
        .take(CELLS + 1)
        .collect();
    few_enough(&cells)?;
    Ok(cells)
}

fn few_enough(cells: &[Placed]) -> Result<(), Why> {
    if cells.len() > CELLS {
        return Err((format!("the sheet has more than {CELLS} cells"), SMALLER));
    }
    if cells.iter().map(|cell| cell.2.len()).sum::<usize>() > TEXT {
        return Err((format!("the cells hold more than {} MiB of text", TEXT >> 20), SMALLER));
    }
    match cells.iter().find(|(_, column, _)| *column >= COLUMNS) {
        Some((row, column, _)) => {
            Err((format!("row {} has a cell in column {}; at most {COLUMNS} are read", row + 1, column + 1), SMALLER))
        }
        None => Ok(()),
    }
}

fn sheet_name(names: &[String], wanted: Option<&str>) -> Result<String, Why> {
    let found = match wanted {
        Some(wanted) => names.iter().find(|name| *name == wanted),
        None => names.first(),
    };
    found.cloned().ok_or_else(|| match wanted {
        Some(wanted) => (
            format!("the workbook has no sheet `{wanted}`; it has {}", names.join(", ")),
            "name one of them behind the `#`",
        ),
        None => ("the workbook has no sheets".to_owned(), SAVE_AGAIN),
    })
}

/// What a cell shows. A number has no more digits than it needs, a formula its last result.
fn text(value: &Data) -> String {
    match value {
        Data::Empty => String::new(),
        Data::String(text) => text.replace("\r\n", "\n"),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Bool(truth) => truth.to_string(),
        Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::DateTime(moment) => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            if (hour, minute, second) == (0, 0, 0) { date } else { format!("{date} {hour:02}:{minute:02}:{second:02}") }
        }
        Data::Error(error) => error.to_string(),
    }
}

/// Sets the cells in lines of text, one for each row up to the last.
fn lines(mut cells: Vec<Placed>) -> (String, Vec<Line>) {
    cells.sort_by_key(|(row, column, _)| (*row, *column));
    let mut text = String::new();
    let mut lines: Vec<Line> = Vec::new();
    let mut at_row = 0;
    let mut at_column = 0;
    for (row, column, value) in cells.into_iter().filter(|cell| !cell.2.is_empty()) {
        while at_row < row {
            text.push('\n');
            (at_row, at_column) = (at_row + 1, 0);
        }
        if lines.last().is_none_or(|line| line.number != row + 1) {
            lines.push(Line { number: row + 1, cells: Vec::new() });
        }
        // The line was pushed just now if it was not there.
        let Some(line) = lines.last_mut() else { continue };
        while at_column < column {
            if line.cells.len() <= at_column {
                line.cells.push((String::new(), text.len()..text.len()));
            }
            text.push('\t');
            at_column += 1;
        }
        let start = text.len();
        text.push_str(&value.replace(['\n', '\t'], " "));
        line.cells.push((value, start..text.len()));
    }
    (text, lines)
}
