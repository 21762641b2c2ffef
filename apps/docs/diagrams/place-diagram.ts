import type { Arrow, Box, Diagram, DiagramRow } from "./read-diagram.js";
import { breakLines, textWidth } from "./text-width.js";

/** Sizes of letters and gaps. On a phone the drawing has about the width of the screen, so no letter is smaller. */
export const letters = { title: 13.5, small: 12, titleLine: 18, smallLine: 16 };
export const gaps = { margin: 10, row: 24, column: 12, frame: 8, frameTitle: 26, lane: 30, note: 30 };
const boxPadding = { x: 10, y: 8 };
const boxWidthMax = 250;

export interface PlacedBox extends Pick<Box, "id" | "isOutside"> {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly titleLines: readonly string[];
  readonly smallLines: readonly string[];
}

export interface PlacedRow {
  readonly boxes: readonly PlacedBox[];
  readonly notes: { readonly x: number; readonly lines: readonly string[] };
  readonly top: number;
  readonly bottom: number;
}

export interface PlacedFrame {
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly PlacedRow[];
  readonly frames: readonly PlacedFrame[];
  /** Between these the boxes stand; arrows that pass rows are beside it. */
  readonly left: number;
  readonly right: number;
  /** The room for the label of an arrow to the next row. */
  readonly labelWidth: number;
}

/** Places rows below each other, and the boxes of a row beside each other. */
export function placeDiagram(diagram: Diagram, width: number): Placed {
  const { rows } = diagram;
  const lanes = lanesOf(diagram);
  const room = (side: Lane["side"]) =>
    new Set(lanes.filter((lane) => lane.side === side).map(({ place }) => place)).size * gaps.lane;
  const left = gaps.margin + room("left");
  const right = width - gaps.margin - room("right");
  const hasNotes = rows.some(({ notes }) => notes.length > 0);
  // Notes get half of the room, and stand beside boxes of one width.
  const boxesRight = hasNotes ? left + (right - left - gaps.note) * (width < 500 ? 0.44 : 0.5) : right;
  // A label stands between the middle of the boxes and the first arrow beside them.
  const labelWidth = room("right") > 0 ? boxWidthMax / 2 - 16 : (boxesRight - left) / 2 - 24;
  // All rows keep the distance of a frame, so that boxes in one and below it are in line.
  const inset = rows.some(({ frame }) => frame !== undefined) ? gaps.frame : 0;
  const placed: PlacedRow[] = [];
  const frames: PlacedFrame[] = [];
  let y = gaps.margin;
  for (const [index, row] of rows.entries()) {
    const begins = row.frame !== undefined && row.frame !== rows[index - 1]?.frame;
    if (index > 0) y += gapAbove(index, diagram, labelWidth);
    if (begins) {
      frames.push({ title: row.frame ?? "", x: left, y, width: right - left, height: 0 });
      y += gaps.frameTitle;
    }
    const drawn = placeRow(row, {
      y,
      left: left + inset,
      right: boxesRight - inset,
      notesRight: right - inset,
      gap: columnGap(row, diagram.arrows),
      isBesideNotes: hasNotes,
    });
    placed.push(drawn);
    y = drawn.bottom;
    if (row.frame !== undefined && row.frame !== rows[index + 1]?.frame) {
      y += gaps.frame;
      const open = frames.pop();
      if (open !== undefined) frames.push({ ...open, height: y - open.y });
    }
  }
  return { width, height: y + gaps.margin, rows: placed, frames, left, right, labelWidth };
}

/** An arrow that passes beside the boxes. */
export interface Lane {
  readonly arrow: Arrow;
  readonly side: "left" | "right";
  /** From the boxes outwards. */
  readonly place: number;
}

/** Arrows that pass rows: dashed ones at the left, others at the right. One without a label shares the way to its target. */
export function lanesOf({ rows, arrows }: Diagram): Lane[] {
  const rowOf = (id: string) => rows.findIndex(({ boxes }) => boxes.some((box) => box.id === id));
  const lanes: Lane[] = [];
  for (const arrow of arrows) {
    const distance = rowOf(arrow.to) - rowOf(arrow.from);
    if (distance === 0 || distance === 1) continue;
    const side = arrow.isDashed ? ("left" as const) : ("right" as const);
    const same = lanes.filter((lane) => lane.side === side);
    const shared = arrow.label === "" && same.find((lane) => lane.arrow.to === arrow.to);
    const place = shared ? shared.place : new Set(same.map((lane) => lane.place)).size;
    lanes.push({ arrow, side, place });
  }
  return lanes;
}

/** The lines of the labels of arrows between a row and the one above it. */
export function labelLines(arrow: Arrow, width: number): string[] {
  return arrow.label === "" ? [] : breakLines(arrow.label, Math.max(width, 90), letters.small);
}

function gapAbove(index: number, { rows, arrows }: Diagram, labelWidth: number): number {
  const [above, below] = [rows[index - 1], rows[index]];
  const crossing = arrows.filter(({ from, to }) => has(above, from) && has(below, to));
  const lines = Math.max(0, ...crossing.map((arrow) => labelLines(arrow, labelWidth).length));
  const isTree = crossing.length > 0 && (above?.boxes.length !== 1 || below?.boxes.length !== 1);
  return (isTree ? gaps.row + 8 : gaps.row) + lines * letters.smallLine;
}

/** Room for an arrow between two boxes of a row, with its label. */
function columnGap(row: DiagramRow, arrows: readonly Arrow[]): number {
  const inside = arrows.filter(({ from, to }) => has(row, from) && has(row, to));
  if (inside.length === 0) return gaps.column;
  return Math.max(34, ...inside.map(({ label }) => textWidth(label, letters.small) + 20));
}

function has(row: DiagramRow | undefined, id: string): boolean {
  return row?.boxes.some((box) => box.id === id) ?? false;
}

interface RowRoom {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly notesRight: number;
  readonly gap: number;
  /** Then boxes are as wide as their room. */
  readonly isBesideNotes: boolean;
}

function placeRow({ boxes, notes }: DiagramRow, room: RowRoom): PlacedRow {
  const { y, left, right, gap } = room;
  const share = (right - left - gap * (boxes.length - 1)) / boxes.length;
  const width = room.isBesideNotes ? share : Math.min(boxWidthMax, share);
  const start = left + (right - left - width * boxes.length - gap * (boxes.length - 1)) / 2;
  const isShort = room.isBesideNotes && width < 200;
  const sized = boxes.map((box) => sizeBox(isShort ? { ...box, details: [] } : box, width));
  const notesX = right + gaps.note;
  const lines = notes.flatMap((note) => breakLines(note, room.notesRight - notesX, letters.small));
  const height = Math.max(...sized.map(heightOf), lines.length * letters.smallLine + 4);
  return {
    boxes: sized.map((box, index) => ({ ...box, x: start + index * (width + gap), y, width, height })),
    notes: { x: notesX, lines },
    top: y,
    bottom: y + height,
  };
}

function sizeBox({ id, title, details, isOutside }: Box, width: number) {
  const inner = width - 2 * boxPadding.x;
  return {
    id,
    isOutside,
    titleLines: breakLines(title, inner / 1.05, letters.title),
    smallLines: details.flatMap((detail) => breakLines(detail, inner, letters.small)),
  };
}

/** A tenth of a pixel is enough for a drawing. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function heightOf({ titleLines, smallLines }: Pick<PlacedBox, "titleLines" | "smallLines">): number {
  return 2 * boxPadding.y + titleLines.length * letters.titleLine + smallLines.length * letters.smallLine;
}
