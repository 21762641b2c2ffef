import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from "diff";

/** Lines around a change. */
const context = 3;
/** The work grows with its square. A text with more edits is shown as removed and added whole. */
const maxEditLength = 500;

/** The difference of two texts as a unified diff of one file. Empty if they are equal. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  const patch = structuredPatch(name, name, before, after, undefined, undefined, { context, maxEditLength });
  const hunks = patch?.hunks ?? [wholeHunk(linesOf(before), linesOf(after))];
  const names = { oldFileName: name, newFileName: name, oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...names, hunks, isGit: false }, FILE_HEADERS_ONLY);
}

function wholeHunk(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const lines = [...signed("-", before), ...signed("+", after)];
  return { oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines };
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function signed(sign: "-" | "+", lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n") ? `${sign}${line.slice(0, -1)}` : [`${sign}${line}`, "\\ No newline at end of file"],
  );
}
