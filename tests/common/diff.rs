//! What differs between two texts, line by line.

/// Lines around a difference that are shown with it.
const AROUND: usize = 3;

/// The lines that differ: `-` for those only in `old`, `+` for those only in `new`, with some equal ones around them.
pub fn lines(old: &str, new: &str) -> String {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let marked = marked(&old, &new);
    let near = |at: usize| {
        let window = at.saturating_sub(AROUND)..(at + AROUND + 1).min(marked.len());
        marked[window].iter().any(|(mark, _)| *mark != ' ')
    };
    let shown = marked.iter().enumerate().filter(|(at, _)| near(*at));
    shown.map(|(_, (mark, line))| format!("{mark} {line}\n")).collect()
}

/// All lines of both texts, with what becomes of each; by the longest common subsequence.
fn marked<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] =
                if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut marked = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            marked.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            marked.push(('-', old[i]));
            i += 1;
        } else {
            marked.push(('+', new[j]));
            j += 1;
        }
    }
    marked
}
