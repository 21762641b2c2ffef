/** A diagram as it is written: rows of boxes, frames around rows, and arrows. */
export interface Diagram {
  readonly title: string;
  /** The same in words, for readers who do not see the drawing. */
  readonly about: string;
  readonly rows: readonly DiagramRow[];
  readonly arrows: readonly Arrow[];
}

export interface DiagramRow {
  readonly boxes: readonly Box[];
  /** Short texts at the right of the boxes. */
  readonly notes: readonly string[];
  /** The title of the frame around this row and its neighbours with the same one. */
  readonly frame?: string;
}

export interface Box {
  readonly id: string;
  readonly title: string;
  readonly details: readonly string[];
  /** `(id: …)` instead of `[id: …]`: not a part of the gateway, or not a step. */
  readonly isOutside: boolean;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** `..>` instead of `->`. */
  readonly isDashed: boolean;
}

const head = /^(title|about): (.+)$/;
const frame = /^frame(?: (.+))?$/;
const box = /\[(\w+): ([^\]]+)\]|\((\w+): ([^)]+)\)/g;
const arrows = /^\w+(?: (?:->|\.\.>) \w+)+(?:: (.+))?$/;

/**
 * Reads the text of a diagram, line by line:
 *
 * - `title: …` and `about: …`
 * - `[id: Title | detail] (id: Title)  note · note` is a row of boxes
 * - `frame Title` begins a frame around the rows that follow, and `frame` ends it
 * - `a -> b -> c` and `a ..> b: label` are arrows
 */
export function readDiagram(text: string): Diagram {
  const heads: Record<string, string> = {};
  const rows: DiagramRow[] = [];
  const drawn: Arrow[] = [];
  let current: string | undefined;
  for (const line of text.split("\n").map((one) => one.trim())) {
    const [, name = "", value = ""] = head.exec(line) ?? [];
    if (line === "") continue;
    if (name !== "") heads[name] = value;
    else if (frame.test(line)) current = frame.exec(line)?.[1];
    else if (arrows.test(line)) drawn.push(...readArrows(line));
    else rows.push({ ...readRow(line), ...(current !== undefined && { frame: current }) });
  }
  const { title, about } = heads;
  if (title === undefined || about === undefined) throw new Error("A diagram needs `title:` and `about:`.");
  const ids = rows.flatMap(({ boxes }) => boxes.map(({ id }) => id));
  const unknown = drawn.flatMap(({ from, to }) => [from, to]).find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new Error(`"${title}" has an arrow to ${unknown}, which is not a box.`);
  return { title, about, rows, arrows: drawn };
}

function readRow(line: string): DiagramRow {
  const boxes = [...line.matchAll(box)].map(([, id, text, outsideId, outsideText]) => {
    const [title = "", ...details] = (text ?? outsideText ?? "").split("|").map((part) => part.trim());
    return { id: id ?? outsideId ?? "", title, details, isOutside: id === undefined };
  });
  if (boxes.length === 0) throw new Error(`Not a line of a diagram: ${line}`);
  const notes = line.replace(box, "").trim();
  return { boxes, notes: notes === "" ? [] : notes.split(" · ") };
}

function readArrows(line: string): Arrow[] {
  const label = arrows.exec(line)?.[1] ?? "";
  const words = line.slice(0, label === "" ? undefined : -`: ${label}`.length).split(" ");
  return words.flatMap((word, index) =>
    word === "->" || word === "..>"
      ? [{ from: words[index - 1] ?? "", to: words[index + 1] ?? "", label, isDashed: word === "..>" }]
      : [],
  );
}
