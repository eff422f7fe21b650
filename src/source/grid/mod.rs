//! A spreadsheet as rows of cells that know where they were written: from CSV, TSV, XLSX and ODS.

mod delimited;
mod workbook;

use std::sync::Arc;

use super::disk::{Disk, Refusal};
use super::{FileId, Sources, Span, Spanned};

/// The endings of file names that are spreadsheets.
pub const ENDINGS: [&str; 4] = [".csv", ".tsv", ".xlsx", ".ods"];

/// The endings of tables that are not read: what they are, and what to do.
const FOREIGN: [(&str, &str, &str); 6] = [
    (".xls", "an Excel workbook of the old format", RESAVE),
    (".xlsb", "a binary Excel workbook", RESAVE),
    (".xlsm", "an Excel workbook with macros", RESAVE),
    (".fods", "an ODS file in one piece of XML", "open it in LibreOffice and save it as .ods, then name that here"),
    (".numbers", "a document of Numbers", "in Numbers: File > Export To > Excel (.xlsx) or CSV, then name that here"),
    (
        ".gsheet",
        "only a link to a Google sheet",
        "in the browser: File > Download > .xlsx, .ods or .csv, then name that here",
    ),
];
const RESAVE: &str = "open it in Excel or LibreOffice and save it as .xlsx, then name that here";

/// The most columns of a sheet.
const COLUMNS: usize = 1000;
/// The most cells of a sheet.
const CELLS: usize = 1_000_000;
/// The most dots in the name of a column: tables inside tables.
const DOTS: usize = 8;
/// What to do about a sheet that is too large.
const SMALLER: &str = "a game needs less: delete what is no card";

/// A cell: its text as it was typed.
pub type Cell = Spanned<Arc<str>>;

/// A spreadsheet: its first row names the columns.
#[derive(Debug, Default)]
pub struct Grid {
    /// The names of the columns, in order. A column without a name, and without cells, has an empty one.
    pub columns: Vec<Cell>,
    /// The rows below, without those that are empty. Each has a cell for every column.
    pub rows: Vec<Row>,
}

/// A row of a spreadsheet.
#[derive(Debug)]
pub struct Row {
    /// Its number as a spreadsheet program counts, from 1; the names of the columns stand in row 1.
    pub number: usize,
    /// Its cells, one for each column.
    pub cells: Vec<Cell>,
    /// From its first cell to its last.
    pub span: Span,
    /// How many cells were written, where a fault tells that they are too few.
    pub cut_at: Option<usize>,
}

/// A fault of a spreadsheet.
#[derive(Debug)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Where; none where it is about the file as a whole.
    pub span: Option<Span>,
    /// How to mend it.
    pub help: &'static str,
}

/// Splits `cards.xlsx#Heroes` into the file and the sheet of the workbook.
pub fn split(name: &str) -> (&str, Option<&str>) {
    name.split_once('#').map_or((name, None), |(file, sheet)| (file, Some(sheet)))
}

/// Whether `name` names a spreadsheet, be it one that can be read or not.
pub fn is_spreadsheet(name: &str) -> bool {
    let (file, _) = split(name);
    foreign(file).is_some() || ENDINGS.iter().any(|ending| file.to_ascii_lowercase().ends_with(ending))
}

/// Why a file cannot be read, going by its name.
fn foreign(file: &str) -> Option<Fault> {
    let lower = file.to_ascii_lowercase();
    let (_, what, help) = FOREIGN.iter().find(|(ending, ..)| lower.ends_with(ending))?;
    let name = file.rsplit('/').next().unwrap_or(file);
    Some(Fault { message: format!("{name} is {what}, which is not read"), span: None, help })
}

/// Reads the spreadsheet `path` of the project, of a workbook its sheet `sheet` or the first one. Returns what could be read, and
/// every fault.
///
/// # Errors
/// When the file cannot be had.
pub fn read(
    disk: &Disk,
    sources: &Sources,
    path: &str,
    sheet: Option<&str>,
) -> Result<(FileId, Grid, Vec<Fault>), Refusal> {
    if let Some(fault) = foreign(path) {
        return Ok((sources.add(path, String::new()), Grid::default(), vec![fault]));
    }
    let lower = path.to_ascii_lowercase();
    let mut faults = Vec::new();
    if lower.ends_with(".csv") || lower.ends_with(".tsv") {
        let text = disk.read_text(path)?;
        let file = sources.add(path, text.clone());
        let grid = delimited::read(file, &text, lower.ends_with(".tsv"), &mut faults);
        return Ok((file, grid, faults));
    }
    let bytes = disk.read(path)?;
    let (text, cells) = match workbook::read(bytes, lower.ends_with(".ods"), sheet) {
        Ok(read) => read,
        Err((message, help)) => {
            faults.push(Fault { message, span: None, help });
            return Ok((sources.add(path, String::new()), Grid::default(), faults));
        }
    };
    let file = sources.add(path, text);
    let rows = cells.into_iter().map(|row| row.placed(file)).collect();
    Ok((file, assemble(rows, &mut faults), faults))
}

/// Makes a grid of all rows, the first of which names the columns.
fn assemble(rows: Vec<Row>, faults: &mut Vec<Fault>) -> Grid {
    let mut rows = rows.into_iter().filter(|row| row.cells.iter().any(|cell| !cell.value.trim().is_empty()));
    let Some(head) = rows.next() else {
        faults.push(Fault {
            message: "the spreadsheet is empty".to_owned(),
            span: None,
            help: "its first row names the columns, one of them `id`",
        });
        return Grid::default();
    };
    if let Some(fault) = head_fault(&head) {
        faults.push(fault);
        return Grid::default();
    }
    let columns = head.cells.into_iter().map(|cell| Spanned::new(Arc::from(cell.value.trim()), cell.span)).collect();
    let mut grid = Grid { columns, rows: Vec::new() };
    named_twice(&grid.columns, faults);
    for mut row in rows {
        fit(&mut row, &grid.columns, faults);
        grid.rows.push(row);
    }
    grid
}

/// What makes the first row unusable, if anything.
fn head_fault(head: &Row) -> Option<Fault> {
    let span = Some(head.span);
    if head.cells.len() > COLUMNS {
        let message = format!("the sheet has {} columns; at most {COLUMNS} are read", head.cells.len());
        return Some(Fault { message, span, help: SMALLER });
    }
    let deep = head.cells.iter().find(|cell| cell.value.matches('.').count() > DOTS)?;
    let message = format!("the name of a column has more than {DOTS} dots");
    Some(Fault { message, span: Some(deep.span), help: "each dot stands for a table inside a table: make it flatter" })
}

fn named_twice(columns: &[Cell], faults: &mut Vec<Fault>) {
    for (at, column) in columns.iter().enumerate() {
        if !column.value.is_empty() && columns[..at].iter().any(|other| other.value == column.value) {
            faults.push(Fault {
                message: format!("two columns are named `{}`", column.value),
                span: Some(column.span),
                help: "give each column its own name",
            });
        }
    }
}

/// Gives `row` a cell for each column; tells what has no column to stand in.
fn fit(row: &mut Row, columns: &[Cell], faults: &mut Vec<Fault>) {
    let end = row.cells.last().map_or(row.span, |cell| cell.span);
    for (at, cell) in row.cells.iter().enumerate() {
        let nameless = columns.get(at).is_none_or(|column| column.value.is_empty());
        if nameless && !cell.value.trim().is_empty() {
            faults.push(Fault {
                message: format!("row {}: cell {} stands under no column name", row.number, at + 1),
                span: Some(cell.span),
                help: "name the column in the first row; a cell with the delimiter or a line break in it needs quotes",
            });
        }
    }
    row.cells.truncate(columns.len());
    let nothing = Spanned::new(Arc::from(""), Span { start: end.end, ..end });
    row.cells.resize(columns.len(), nothing);
}
