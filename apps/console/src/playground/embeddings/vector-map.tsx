import { formatShare } from "../../parts/format.js";
import { useWidth } from "../../parts/use-width.js";
import type { Projection } from "./project.js";

const height = 360;
const margin = 32;
const lineHeight = 16;
const pointRadius = 5;
/** Minimum distance between the middle of a label and a point that it passes. */
const clear = 11;
/** The width of a letter, about. */
const letterWidth = 6.6;

/** The texts in two dimensions. Labels that would lie on each other, or on a point, move up or down. */
export function VectorMap({
  texts,
  projection: { points, share },
}: {
  readonly texts: readonly string[];
  readonly projection: Projection;
}) {
  const [figure, width] = useWidth<HTMLElement>();
  const reach = Math.max(1e-9, ...points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
  const places = points.map(({ x, y }) => ({
    x: width / 2 + (x / reach) * (width / 2 - margin),
    y: height / 2 - (y / reach) * (height / 2 - margin),
  }));
  const words = texts.map((text, at) => `${at + 1} ${shorten(text, width / 2)}`);
  const labels = placeLabels(
    places.map(({ x, y }, at) => ({ x, y, isLeft: x > width / 2, length: words[at]?.length ?? 0 })),
    width,
  );
  return (
    <figure ref={figure}>
      <svg
        className="plot map"
        width={width}
        height={height}
        role="img"
        aria-label="The texts in two dimensions. The cosines are in the table above."
      >
        <line className="grid" x1={width / 2} x2={width / 2} y1="0" y2={height} />
        <line className="grid" x1="0" x2={width} y1={height / 2} y2={height / 2} />
        {places.map(({ x }, at) => {
          const isRight = x > width / 2;
          return (
            <text
              key={at}
              x={isRight ? x - 10 : x + 10}
              y={labels[at]}
              textAnchor={isRight ? "end" : "start"}
            >
              {words[at]}
            </text>
          );
        })}
        {places.map(({ x, y }, at) => (
          <circle key={at} cx={x} cy={y} r={pointRadius}>
            <title>{texts[at]}</title>
          </circle>
        ))}
      </svg>
      <figcaption className="small quiet">
        Two axes show {formatShare(share)} of the differences. Points that are far apart here may be near in
        full width.
      </figcaption>
    </figure>
  );
}

function shorten(text: string, room: number): string {
  const letters = Math.floor(room / letterWidth) - 4;
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/** A point, and the label beside it: how many letters it has, and on which side it is. */
export interface Labelled {
  readonly x: number;
  readonly y: number;
  readonly isLeft: boolean;
  readonly length: number;
}

/** The height of each label: beside its point, off other points, or below the label that is there already. */
export function placeLabels(places: readonly Labelled[], width: number): number[] {
  const labels: number[] = [];
  const order = places.map((place, at) => ({ ...place, at })).sort((one, other) => one.y - other.y);
  const taken: { x: number; y: number }[] = [];
  for (const place of order) {
    let wanted = besidePoints(place, places) + 4;
    for (const label of taken) {
      const isBeside = Math.abs(label.x - place.x) < width / 2;
      if (isBeside && Math.abs(label.y - wanted) < lineHeight) wanted = label.y + lineHeight;
    }
    taken.push({ x: place.x, y: wanted });
    labels[place.at] = wanted;
  }
  return labels;
}

/** The height of a point, or a little above or below, where its label would lie on the nearest other point. */
function besidePoints({ x, y, isLeft, length }: Labelled, places: readonly Labelled[]): number {
  const covered = places
    .filter((other) => {
      const away = isLeft ? x - other.x : other.x - x;
      return away > 0 && away < length * letterWidth + 2 * pointRadius && Math.abs(other.y - y) < clear;
    })
    .sort((one, other) => Math.abs(one.y - y) - Math.abs(other.y - y))[0];
  if (covered === undefined) return y;
  return covered.y < y ? covered.y + clear : covered.y - clear;
}
