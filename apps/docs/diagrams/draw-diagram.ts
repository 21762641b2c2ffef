import { type Html, html } from "../frame/html.js";
import { drawArrows } from "./draw-arrows.js";
import {
  letters,
  type Placed,
  type PlacedBox,
  type PlacedRow,
  placeDiagram,
  round,
} from "./place-diagram.js";
import { type Diagram, readDiagram } from "./read-diagram.js";

/** Widths of the two drawings of a page: beside the menu, and on a phone. */
const widths = { wide: 700, narrow: 352 };

/** Draws a diagram of a page twice. The style shows the one that fits the screen. */
export function drawDiagram(text: string): Html {
  const diagram = readDiagram(text);
  const id = diagram.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return html`<figure class="diagram"><figcaption>${diagram.title}</figcaption>${Object.entries(widths).map(([name, width]) => drawSvg(diagram, { width, id: `${id}-${name}`, name }))}</figure>\n`;
}

const namespace = "http://www.w3.org/2000/svg";

/** A file that stands alone, for readers of the repository. */
export function drawDiagramFile(diagram: Diagram): string {
  const svg = drawSvg(diagram, { width: widths.wide, id: "diagram", name: "wide" }).text;
  return `${svg
    .replace(
      /<svg class="wide" (?=viewBox="0 0 (\d+) (\d+)")/,
      `<svg xmlns="${namespace}" width="$1" height="$2" `,
    )
    .replace(
      "</desc>",
      `</desc>\n<style>\n${fileStyle}</style>\n<rect class="ground" width="100%" height="100%" rx="10"/>`,
    )
    .replace(/(?=<(?:rect|path|text) class)/g, "\n")}\n`;
}

interface SvgOptions {
  readonly width: number;
  readonly id: string;
  readonly name: string;
}

function drawSvg(diagram: Diagram, { width, id, name }: SvgOptions): Html {
  const placed = placeDiagram(diagram, width);
  const height = Math.ceil(placed.height);
  return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-about"><title id="${id}-title">${diagram.title}</title><desc id="${id}-about">${diagram.about}</desc>${drawFrames(placed)}${drawArrows(diagram, placed)}${placed.rows.map(drawRow)}${drawFrameTitles(placed)}</svg>`;
}

function drawFrames({ frames }: Placed): Html[] {
  return frames.map(
    ({ x, y, width, height }) =>
      html`<rect class="frame" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="8"/>`,
  );
}

/** Last, so that an arrow into the frame passes behind its title. */
function drawFrameTitles({ frames }: Placed): Html[] {
  return frames.map(
    ({ title, x, y }) => html`<text class="small" x="${round(x + 12)}" y="${round(y + 18)}">${title}</text>`,
  );
}

function drawRow({ boxes, notes, top, bottom }: PlacedRow): Html {
  const first = (top + bottom) / 2 - ((notes.lines.length - 1) * letters.smallLine) / 2 + 4;
  const last = boxes.at(-1);
  const [from, middle] = [round((last?.x ?? 0) + (last?.width ?? 0)), round((top + bottom) / 2)];
  return html`${boxes.map(drawBox)}${
    notes.lines.length > 0 &&
    html`<path class="leave" d="M${from} ${middle}H${round(notes.x - 10)}"/><path class="leave tip" d="M${round(notes.x - 10)} ${middle - 3.5}l6 3.5l-6 3.5z"/>`
  }${notes.lines.map((line, index) => html`<text class="note" x="${round(notes.x)}" y="${round(first + index * letters.smallLine)}">${line}</text>`)}`;
}

function drawBox(box: PlacedBox): Html {
  const { x, y, width, height, titleLines, smallLines, isOutside } = box;
  const middle = round(x + width / 2);
  const text = titleLines.length * letters.titleLine + smallLines.length * letters.smallLine;
  const top = y + (height - text) / 2;
  const smallTop = top + titleLines.length * letters.titleLine;
  return html`<rect class="${isOutside ? "outside" : "box"}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${isOutside ? 14 : 6}"/>${titleLines.map((line, index) => html`<text class="title" x="${middle}" y="${round(top + 13.5 + index * letters.titleLine)}">${line}</text>`)}${smallLines.map((line, index) => html`<text class="detail" x="${middle}" y="${round(smallTop + 12 + index * letters.smallLine)}">${line}</text>`)}`;
}

/** The colours of `tokens.css`, which a file that is shown elsewhere cannot read. */
const fileStyle = `text { font: 12px system-ui, sans-serif; fill: #17242b; }
.title { font-size: 13.5px; font-weight: 600; } .title, .detail, .middle { text-anchor: middle; } .small { paint-order: stroke; stroke: #ffffff; stroke-width: 5; } .small, .detail, .label { fill: #50626c; }
.ground { fill: #ffffff; } .box { fill: #e3eef3; stroke: #0f6283; } .outside { fill: #eef2f4; stroke: #7b8d97; } .frame { fill: none; stroke: #7b8d97; stroke-dasharray: 2 4; }
.way, .leave { fill: none; stroke: #0f6283; stroke-width: 1.5; } .leave { stroke: #7b8d97; } .tip { fill: #0f6283; stroke: none; } .leave.tip { fill: #7b8d97; }
.way.dashed { stroke: #8a5200; stroke-dasharray: 4 3; } .dashed.tip { fill: #8a5200; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6eef1; } .small, .detail, .label { fill: #9db1ba; } .ground { fill: #182026; } .small { stroke: #182026; } .box { fill: #1d333d; stroke: #7cc4de; }
  .outside { fill: #11181d; stroke: #6c818b; } .way { stroke: #7cc4de; } .tip { fill: #7cc4de; } .leave { stroke: #6c818b; } .leave.tip { fill: #6c818b; }
  .way.dashed { stroke: #f0b65a; } .dashed.tip { fill: #f0b65a; }
}
`;
