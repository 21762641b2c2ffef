/** Lines around a change. */
const contextLines = 3;
/** Beyond this many comparisons the changed part is shown as removed and added whole. */
const comparisonsMax = 4_000_000;

interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** The difference of two texts as a unified diff of one file. Empty if they are equal. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  const lines = compare(linesOf(before), linesOf(after));
  const hunks = rangesOf(lines).map((range) => writeHunk(lines, range));
  return `--- ${name}\n+++ ${name}\n${hunks.join("")}`;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text }));
  return [
    ...same(before.slice(0, start)),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ sign: "-", text }));
  const added = after.map((text): DiffLine => ({ sign: "+", text }));
  if (before.length * after.length > comparisonsMax) return [...removed, ...added];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      lines.push({ sign: " ", text: before[row] ?? "" });
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      lines.push({ sign: "-", text: before[row] ?? "" });
      row += 1;
    } else {
      lines.push({ sign: "+", text: after[column] ?? "" });
      column += 1;
    }
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)];
}

interface LineRange {
  readonly start: number;
  end: number;
}

/** The changes with their context. Those that would touch are one. */
function rangesOf(lines: readonly DiffLine[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    const start = Math.max(0, index - contextLines);
    const end = Math.min(lines.length, index + contextLines + 1);
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

function writeHunk(lines: readonly DiffLine[], { start, end }: LineRange): string {
  const count = (part: readonly DiffLine[], without: DiffLine["sign"]) =>
    part.filter(({ sign }) => sign !== without).length;
  const earlier = lines.slice(0, start);
  const hunk = lines.slice(start, end);
  const position = (without: DiffLine["sign"]) => {
    const length = count(hunk, without);
    return `${count(earlier, without) + (length === 0 ? 0 : 1)},${length}`;
  };
  const body = hunk.map(({ sign, text }) =>
    text.endsWith("\n") ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`,
  );
  return `@@ -${position("+")} +${position("-")} @@\n${body.join("")}`;
}
