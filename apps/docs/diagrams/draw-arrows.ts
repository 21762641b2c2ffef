import { type Html, html } from "../frame/html.js";
import {
  gaps,
  type Lane,
  labelLines,
  lanesOf,
  letters,
  type Placed,
  type PlacedBox,
  round,
} from "./place-diagram.js";
import type { Arrow, Diagram } from "./read-diagram.js";

const tipLength = 7;

/** Draws each arrow by the way it takes: beside the rows, within one, or from a row to the next. */
export function drawArrows(diagram: Diagram, placed: Placed): Html[] {
  const lanes = lanesOf(diagram);
  return diagram.arrows.map((arrow) => {
    const [from, to] = [findBox(placed, arrow.from), findBox(placed, arrow.to)];
    const lane = lanes.find((one) => one.arrow === arrow);
    if (lane !== undefined) return drawLane(lane, { from, to, placed });
    if (from.y === to.y) return drawBeside(arrow, { from, to, diagram });
    return drawDown(arrow, { from, to, diagram, placed });
  });
}

function findBox({ rows }: Placed, id: string): PlacedBox {
  const found = rows.flatMap(({ boxes }) => boxes).find((box) => box.id === id);
  if (found === undefined) throw new Error(`The diagram has no box ${id}.`);
  return found;
}

interface Ends {
  readonly from: PlacedBox;
  readonly to: PlacedBox;
}

/** Out at the side of the box, along the lane, and in at the same side of the other box. */
function drawLane({ arrow, side, place }: Lane, { from, to, placed }: Ends & { placed: Placed }): Html {
  const isLeft = side === "left";
  const edge = ({ x, width }: PlacedBox) => (isLeft ? x : x + width);
  const passed = placed.rows
    .flatMap(({ boxes }) => boxes)
    .filter(({ y }) => y >= Math.min(from.y, to.y) && y <= Math.max(from.y, to.y))
    .map(edge);
  const x = isLeft
    ? Math.min(...passed) - 12 - place * gaps.lane
    : Math.max(...passed) + 12 + place * gaps.lane;
  // Two arrows at one side of a box stand apart.
  const startY = middleY(from) + place * 8;
  const endY = middleY(to) + (to.y > from.y ? -5 : 5) * place;
  const tipX = edge(to) + (isLeft ? -tipLength : tipLength);
  const middle = round((startY + endY) / 2);
  const textX = round(isLeft ? x - 6 : x + 6);
  return html`${way(arrow, `M${round(edge(from))} ${round(startY)}H${round(x)}V${round(endY)}H${round(tipX)}`)}${tip(arrow, tipX, endY, isLeft ? "right" : "left")}${
    arrow.label !== "" &&
    html`<text class="label middle" x="${textX}" y="${middle}" transform="rotate(${isLeft ? -90 : 90} ${textX} ${middle})">${arrow.label}</text>`
  }`;
}

/** Between two boxes of a row. An arrow and the one back do not meet. */
function drawBeside(arrow: Arrow, { from, to, diagram }: Ends & { diagram: Diagram }): Html {
  const isRight = to.x > from.x;
  const hasReturn = diagram.arrows.some((other) => other.from === arrow.to && other.to === arrow.from);
  const y = middleY(from) + (hasReturn ? (isRight ? -9 : 9) : 0);
  const [start, end] = isRight ? [from.x + from.width, to.x] : [from.x, to.x + to.width];
  const tipX = end + (isRight ? -tipLength : tipLength);
  return html`${way(arrow, `M${round(start)} ${round(y)}H${round(tipX)}`)}${tip(arrow, tipX, y, isRight ? "right" : "left")}${
    arrow.label !== "" &&
    html`<text class="label middle" x="${round((start + end) / 2)}" y="${round(isRight ? y - 6 : y + 16)}">${arrow.label}</text>`
  }`;
}

/** From the lower edge of a box to the upper edge of one in the next row. */
function drawDown(
  arrow: Arrow,
  { from, to, diagram, placed }: Ends & { diagram: Diagram; placed: Placed },
): Html {
  const [fromX, toX] = [from.x + from.width / 2, to.x + to.width / 2];
  const [top, bottom] = [from.y + from.height, to.y];
  const isStraight = Math.abs(fromX - toX) < 16;
  const bend = round(top + 13);
  const path = isStraight
    ? `M${round(toX)} ${round(top)}V${round(bottom - tipLength)}`
    : `M${round(fromX)} ${round(top)}V${bend}H${round(toX)}V${round(bottom - tipLength)}`;
  // A label belongs to the end that the arrow has alone.
  const others = diagram.arrows.filter(({ to: other }) => other === arrow.to);
  const labelX = others.length > 1 && !isStraight ? fromX : toX;
  const lines = labelLines(arrow, placed.labelWidth);
  const frame = placed.frames.find(({ y }) => y > top && y < bottom);
  const last = frame === undefined ? bottom - tipLength - 4 : frame.y - 6;
  const first = last - (lines.length - 1) * letters.smallLine;
  return html`${way(arrow, path)}${tip(arrow, toX, bottom - tipLength, "down")}${lines.map((line, index) => html`<text class="label" x="${round(labelX + 8)}" y="${round(first + index * letters.smallLine)}">${line}</text>`)}`;
}

function way({ isDashed }: Arrow, path: string): Html {
  return html`<path class="way${isDashed && " dashed"}" d="${path}"/>`;
}

function tip({ isDashed }: Arrow, x: number, y: number, direction: "left" | "right" | "down"): Html {
  const sides = {
    left: `l0 -4l-${tipLength} 4l${tipLength} 4z`,
    right: `l0 -4l${tipLength} 4l-${tipLength} 4z`,
    down: `l-4 0l4 ${tipLength}l4 -${tipLength}z`,
  };
  return html`<path class="tip${isDashed && " dashed"}" d="M${round(x)} ${round(y)}${sides[direction]}"/>`;
}

function middleY({ y, height }: PlacedBox): number {
  return y + height / 2;
}
