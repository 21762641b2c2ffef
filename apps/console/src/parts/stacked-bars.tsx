import { formatCount } from "./format.js";
import { useWidth } from "./use-width.js";

export interface Bar {
  /** Shown below the bar. */
  readonly label: string;
  /** One value for each series, in their order. */
  readonly values: readonly number[];
}

interface StackedBarsProps {
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  /** Description of the chart for screen readers; the figures are in a table on the same page. */
  readonly label: string;
  readonly format?: (value: number) => string;
}

const height = 260;
const bottom = 24;
const top = 8;
/** The room for one label below the bars. */
const labelWidth = 64;
/** The most that a digit takes. */
const letterWidth = 8;

/** Bars made of one part for each series. Up to eight series have a distinct colour. */
export function StackedBars({ series, bars, label, format = formatCount }: StackedBarsProps) {
  const [figure, width] = useWidth<HTMLElement>();
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const ceiling = niceCeiling(Math.max(0, ...totals), format === formatCount);
  const plotHeight = height - bottom - top;
  const scale = (value: number) => (value / ceiling) * plotHeight;
  const shares = [0, 0.25, 0.5, 0.75, 1].map((share) => ({ share, text: format(ceiling * share) }));
  const left = 12 + letterWidth * Math.max(...shares.map(({ text }) => text.length));
  const step = (width - left) / Math.max(1, bars.length);
  const gap = Math.min(6, step * 0.2);
  const everyLabel = Math.max(1, Math.ceil((bars.length * labelWidth) / (width - left)));
  return (
    <figure ref={figure}>
      <svg className="plot" width={width} height={height} role="img" aria-label={label}>
        {shares.map(({ share, text }) => {
          const y = top + plotHeight * (1 - share);
          return (
            <g key={share}>
              <line className="grid" x1={left} x2={width} y1={y} y2={y} />
              <text x={left - 8} y={y + 4} textAnchor="end">
                {text}
              </text>
            </g>
          );
        })}
        {bars.map((bar, index) => {
          const x = left + index * step + gap / 2;
          let y = top + plotHeight;
          return (
            <g key={bar.label}>
              <title>{describe(bar, series, format)}</title>
              {bar.values.map((value, place) => {
                const size = scale(value);
                y -= size;
                return size > 0 ? (
                  <rect
                    key={series[place]}
                    className={seriesClass(place)}
                    x={x}
                    y={y}
                    width={Math.max(1, step - gap)}
                    height={size}
                  />
                ) : null;
              })}
              {index % everyLabel === 0 && (
                <text {...placeLabel(x + (step - gap) / 2, width)} y={height - 6}>
                  {bar.label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <ul className="legend-list">
        {series.map(
          (name, place) =>
            isDrawn(bars, place) && (
              <li key={name}>
                <span className={`swatch ${seriesClass(place)}`} aria-hidden="true" />
                {name}
              </li>
            ),
        )}
      </ul>
    </figure>
  );
}

/** A series without a value would only take room in the legend. Without any value, all are named. */
function isDrawn(bars: readonly Bar[], place: number): boolean {
  const isEmpty = bars.every(({ values }) => values.every((value) => value === 0));
  return isEmpty || bars.some(({ values }) => (values[place] ?? 0) > 0);
}

/** Below the middle of its bar, or at the edge if it would be cut there. */
function placeLabel(middle: number, width: number): { x: number; textAnchor: "middle" | "end" } {
  return middle + labelWidth / 3 > width
    ? { x: width, textAnchor: "end" }
    : { x: middle, textAnchor: "middle" };
}

function seriesClass(place: number): string {
  return `series-${Math.min(place, 7) + 1}`;
}

function describe(
  { label, values }: Bar,
  series: readonly string[],
  format: (value: number) => string,
): string {
  const parts = series
    .map((name, place) => ({ name, value: values[place] ?? 0 }))
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => `${name} ${format(value)}`);
  return [label, ...parts].join("\n");
}

/**
 * The next of 1, 2, 4, 5, 8 or 10 times a power of ten, so that its quarters are short figures. For counts, the
 * quarters are whole numbers.
 */
export function niceCeiling(value: number, isCount: boolean): number {
  if (value <= 0) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  const ceilings = [1, 2, 4, 5, 8, 10, 20, 40].map((factor) => factor * power);
  const fitting = ceilings.find((ceiling) => ceiling >= value && (!isCount || ceiling % 4 === 0));
  return fitting ?? 40 * power;
}
