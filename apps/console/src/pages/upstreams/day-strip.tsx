import type { Schemas } from "../../operations/schemas.js";
import { chosenZone, writeMinute } from "../../parts/time-zone.js";
import {
  describeHalfHour,
  describeStrip,
  type HalfHourState,
  type StripHalfHour,
  stateWords,
  stripOf,
  summarize,
} from "./half-hours.js";

const height = 22;
const barWidth = 3;
const step = 4;

/** Besides the colour, the height of a bar shows the state. */
const heights: Readonly<Record<HalfHourState, number>> = {
  unknown: 1,
  idle: 3,
  good: 10,
  failures: 16,
  down: height,
};

interface DayStripProps {
  readonly history: Schemas["TargetHistory"] | undefined;
}

/** The last 24 hours of a target, with the same in words for a screen reader. */
export function DayStrip({ history }: DayStripProps) {
  const strip = stripOf(history, Date.now());
  const isShort = strip[0]?.state === "unknown" && history !== undefined;
  return (
    <div className="day-strip">
      <svg
        width={strip.length * step}
        height={height}
        role="img"
        aria-label={`The last 24 hours: ${describeStrip(strip, formatClock)}`}
      >
        {strip.map((one, at) => (
          <Bar key={one.start} halfHour={one} at={at} />
        ))}
      </svg>
      <p className="small quiet">
        {summarize(strip)}
        {isShort && ` since ${formatClock(history.since)}`}
      </p>
    </div>
  );
}

function Bar({ halfHour, at }: { readonly halfHour: StripHalfHour; readonly at: number }) {
  const size = heights[halfHour.state];
  return (
    <g>
      <title>{describeHalfHour(halfHour, formatClock)}</title>
      <rect className="room" x={at * step} y="0" width={step} height={height} />
      <rect
        className={`half-hour ${halfHour.state}`}
        x={at * step}
        y={height - size}
        width={barWidth}
        height={size}
      />
    </g>
  );
}

const shown = ["idle", "good", "failures", "down"] as const;

/** The legend of the strips. */
export function StripLegend() {
  return (
    <p className="strip-legend small quiet">
      The last 24 hours in half hours:
      {shown.map((state) => (
        <span key={state}>
          <svg width={barWidth * 3} height={height} aria-hidden="true">
            <rect
              className={`half-hour ${state}`}
              x="0"
              y={height - heights[state]}
              width={barWidth * 3}
              height={heights[state]}
            />
          </svg>
          {stateWords[state]}
        </span>
      ))}
    </p>
  );
}

function formatClock(seconds: number): string {
  return writeMinute(seconds, chosenZone());
}
