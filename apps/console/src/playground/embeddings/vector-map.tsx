import { formatShare } from "../../parts/format.js";
import { useWidth } from "../../parts/use-width.js";
import type { Projection } from "./project.js";

const height = 360;
const margin = 32;
const lineHeight = 16;
/** The width of a letter, about. */
const letterWidth = 6.6;

/** The texts in two dimensions. Labels that would lie on each other move down. */
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
  const labels = placeLabels(places, width);
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
        {places.map(({ x, y }, at) => (
          <circle key={at} cx={x} cy={y} r="5">
            <title>{texts[at]}</title>
          </circle>
        ))}
        {places.map(({ x }, at) => {
          const isRight = x > width / 2;
          return (
            <text
              key={at}
              x={isRight ? x - 10 : x + 10}
              y={labels[at]}
              textAnchor={isRight ? "end" : "start"}
            >
              {at + 1} {shorten(texts[at] ?? "", width / 2)}
            </text>
          );
        })}
      </svg>
      <figcaption className="small quiet">
        Two axes show {formatShare(share)} of the differences. What is far here may be near in full width.
      </figcaption>
    </figure>
  );
}

function shorten(text: string, room: number): string {
  const letters = Math.floor(room / letterWidth) - 4;
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/** The height of each label: beside its point, or below the label that is there already. */
export function placeLabels(
  places: readonly { readonly x: number; readonly y: number }[],
  width: number,
): number[] {
  const labels: number[] = [];
  const order = places
    .map((_, at) => at)
    .sort((one, other) => (places[one]?.y ?? 0) - (places[other]?.y ?? 0));
  const taken: { x: number; y: number }[] = [];
  for (const at of order) {
    const { x, y } = places[at] ?? { x: 0, y: 0 };
    let wanted = y + 4;
    for (const label of taken) {
      const isBeside = Math.abs(label.x - x) < width / 2;
      if (isBeside && Math.abs(label.y - wanted) < lineHeight) wanted = label.y + lineHeight;
    }
    taken.push({ x, y: wanted });
    labels[at] = wanted;
  }
  return labels;
}
