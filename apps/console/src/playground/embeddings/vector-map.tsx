import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { type InputToEmbed, nameInput } from "../../operations/embedding-inputs.js";
import { formatShare } from "../../parts/format.js";
import { useWidth } from "../../parts/use-width.js";
import type { Neighbour } from "./neighbours.js";
import { letterWidth, placeLabels, pointRadius } from "./place-labels.js";
import type { Projection } from "./project.js";
import { type Place, spreadDots } from "./spread-dots.js";

/** More labels than this lie on each other: then dots have numbers, and one label is shown at a time. */
const labelsMax = 15;
const margin = 32;
const numberedRadius = 9;
/** The share of the map that dots may take. */
const filledMax = 0.3;

/** Half the side of a small image. */
const thumbRadius = 16;

interface VectorMapProps {
  readonly inputs: readonly InputToEmbed[];
  readonly projection: Projection;
  readonly chosen: number;
  /** The nearest neighbours of the chosen input. */
  readonly neighbours: readonly Neighbour[];
  readonly onChoose: (input: number) => void;
}

/** The inputs in two dimensions. Arrow keys go from input to input. */
export function VectorMap({ inputs, projection, chosen, neighbours, onChoose }: VectorMapProps) {
  const [figure, width] = useWidth<HTMLElement>();
  const [pointed, setPointed] = useState<number>();
  const id = useId();
  const isLabelled = inputs.length <= labelsMax;
  const height = isLabelled ? 360 : Math.max(360, Math.min(width, 620));
  const places = useMemo(() => {
    const wanted = placeOn({ width, height }, projection);
    // Dots that filled the whole map would show no groups.
    const radius = Math.sqrt((filledMax * width * height) / (Math.PI * wanted.length));
    return isLabelled
      ? wanted
      : spreadDots(wanted, { width, height, radius: Math.min(radius, numberedRadius) });
  }, [width, height, projection, isLabelled]);
  const named = new Set([...neighbours.map(({ index }) => index), chosen]);
  // Those that matter are on top of the others.
  const order = inputs.map((_, at) => at).sort((one, other) => rank(one) - rank(other));
  function rank(at: number): number {
    return at === chosen ? 2 : named.has(at) ? 1 : 0;
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = targetOf(event.key, chosen, inputs.length);
    if (to === undefined) return;
    event.preventDefault();
    onChoose(to);
  };
  return (
    <figure ref={figure}>
      <div
        role="listbox"
        tabIndex={0}
        aria-label="The inputs in two dimensions"
        aria-activedescendant={`${id}-${chosen}`}
        onKeyDown={onKeyDown}
      >
        <svg className="plot map" role="none" width={width} height={height}>
          <g>
            <line className="grid" x1={width / 2} x2={width / 2} y1="0" y2={height} />
            <line className="grid" x1="0" x2={width} y1={height / 2} y2={height / 2} />
            {neighbours.map(({ index }) => (
              <Thread key={index} from={places[chosen]} to={places[index]} />
            ))}
            {isLabelled && <Labels inputs={inputs} places={places} width={width} />}
          </g>
          {order.map((at) => (
            <g
              key={at}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === chosen}
              aria-label={`${at + 1}: ${nameOf(inputs, at)}`}
              className={["dot", "near", "chosen"].slice(0, rank(at) + 1).join(" ")}
              onClick={() => onChoose(at)}
              onMouseEnter={() => setPointed(at)}
              onMouseLeave={() => setPointed(undefined)}
            >
              <Dot at={at} place={places[at]} image={inputs[at]?.image?.url} isNumbered={!isLabelled} />
            </g>
          ))}
          {!isLabelled && <OneLabel at={pointed ?? chosen} inputs={inputs} places={places} width={width} />}
        </svg>
      </div>
      <figcaption className="small quiet">
        Two axes show {formatShare(projection.share)} of the differences. Points that are far apart here may
        be near in full width.{!isLabelled && " Dots are moved apart where they would lie on each other."}
      </figcaption>
    </figure>
  );
}

function placeOn(size: { readonly width: number; readonly height: number }, { points }: Projection): Place[] {
  const reach = (values: readonly number[]) =>
    values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const most = reach(points.flatMap(({ x, y }) => [x, y]));
  return points.map(({ x, y }) => ({
    x: size.width / 2 + (x / most) * (size.width / 2 - margin),
    y: size.height / 2 - (y / most) * (size.height / 2 - margin),
  }));
}

function Dot({
  at,
  place = { x: 0, y: 0 },
  image,
  isNumbered,
}: {
  readonly at: number;
  readonly place: Place | undefined;
  readonly image: string | undefined;
  readonly isNumbered: boolean;
}) {
  if (image !== undefined)
    return <Thumb place={place} image={image} radius={isNumbered ? numberedRadius : thumbRadius} />;
  if (!isNumbered) return <circle cx={place.x} cy={place.y} r={pointRadius} />;
  return (
    <>
      <circle cx={place.x} cy={place.y} r={numberedRadius} />
      <text x={place.x} y={place.y + 3} textAnchor="middle">
        {at + 1}
      </text>
    </>
  );
}

interface ThumbProps {
  readonly place: Place;
  readonly image: string;
  readonly radius: number;
}

function Thumb({ place, image, radius }: ThumbProps) {
  const square = { x: place.x - radius, y: place.y - radius, width: 2 * radius, height: 2 * radius };
  return (
    <>
      <image href={image} preserveAspectRatio="xMidYMid slice" {...square} />
      <rect className="frame" {...square} />
    </>
  );
}

function nameOf(inputs: readonly InputToEmbed[], at: number): string {
  const input = inputs[at];
  return input === undefined ? "" : nameInput(input);
}

function Thread({ from, to }: { readonly from: Place | undefined; readonly to: Place | undefined }) {
  if (from === undefined || to === undefined) return null;
  return <line className="thread" x1={from.x} y1={from.y} x2={to.x} y2={to.y} />;
}

interface LabelsProps {
  readonly inputs: readonly InputToEmbed[];
  readonly places: readonly Place[];
  readonly width: number;
}

/** Labels that would lie on each other, or on a point, move up or down. */
function Labels({ inputs, places, width }: LabelsProps) {
  const words = inputs.map((input, at) => `${at + 1} ${shorten(nameInput(input), width / 2)}`);
  const heights = placeLabels(
    places.map(({ x, y }, at) => ({ x, y, isLeft: x > width / 2, length: words[at]?.length ?? 0 })),
    width,
  );
  return places.map(({ x }, at) => {
    const isRight = x > width / 2;
    const away = inputs[at]?.image === undefined ? 10 : thumbRadius + 5;
    return (
      <text key={at} x={isRight ? x - away : x + away} y={heights[at]} textAnchor={isRight ? "end" : "start"}>
        {words[at]}
      </text>
    );
  });
}

function OneLabel({ at, inputs, places, width }: LabelsProps & { readonly at: number }) {
  const place = places[at];
  if (place === undefined) return null;
  const isRight = place.x > width / 2;
  return (
    <text
      className="label"
      x={isRight ? place.x - 14 : place.x + 14}
      y={place.y + 4}
      textAnchor={isRight ? "end" : "start"}
    >
      {shorten(nameOf(inputs, at), isRight ? place.x : width - place.x)}
    </text>
  );
}

function shorten(text: string, room: number): string {
  const letters = Math.floor(room / letterWidth) - 4;
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/** The input that a key leads to. */
function targetOf(key: string, from: number, count: number): number | undefined {
  if (key === "ArrowRight" || key === "ArrowDown") return Math.min(count - 1, from + 1);
  if (key === "ArrowLeft" || key === "ArrowUp") return Math.max(0, from - 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
