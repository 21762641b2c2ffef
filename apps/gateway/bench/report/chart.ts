import { type Figures, figuresOf } from "../measure/figures.js";
import type { Results } from "../measure/measure-all.js";
import type { Workload } from "../workloads/workload.js";
import { formatNumber } from "./markdown.js";

/** The rivals with a bar, in order. The bare proxy is the line at 1. */
const barOrder = ["ours", "Portkey", "bare dispatch", "nginx"];
/** A longer bar is cut off here, and its figure shows the value. */
const valueMax = 5;
const left = 250;
const barHeight = 11;
const scale = 100;
const width = left + valueMax * scale + 70;

/** Writes an SVG of requests per second as multiples of the bare proxy's, in the reader's light or dark colours. */
export function writeChart({ measurements, rivals }: Results, workloads: readonly Workload[]): string {
  const names = barOrder.filter((name) => rivals.some((rival) => rival.name === name));
  const figures = figuresOf(measurements);
  const groups = groupsOf(figures, workloads);
  const groupHeight = names.length * barHeight + 14;
  const top = 74;
  const bottom = top + groups.length * groupHeight;
  const bars = groups.map(({ title, workload, label, concurrency }, index) => {
    const y = top + index * groupHeight;
    const rows = names.map((name, row) => {
      const figure = figures.find(
        (one) =>
          one.workload === workload &&
          one.label === label &&
          one.concurrency === concurrency &&
          one.rival === name,
      );
      return bar(name, figure?.timesBare, y + row * barHeight);
    });
    const middle = y + (names.length * barHeight) / 2 + 4;
    return `<text class="label" x="${left - 10}" y="${middle}" text-anchor="end">${title}</text>\n${rows.join("\n")}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 34}" viewBox="0 0 ${width} ${bottom + 34}" role="img" aria-labelledby="title">
<title id="title">Requests a second as multiples of a bare proxy's, by workload</title>
<style>${style}</style>
<rect class="ground" width="${width}" height="${bottom + 34}" rx="10"/>
<text class="heading" x="20" y="28">Requests a second, as multiples of the bare proxy's (dashed line)</text>
${legend(names)}
${Array.from({ length: valueMax + 1 }, (_, value) => gridLine(value, { top, bottom })).join("\n")}
${bars.join("\n")}
</svg>
`;
}

/** The chart shows each case once, 32 at once if that was measured. The tables have the rest. */
function groupsOf(figures: readonly Figures[], workloads: readonly Workload[]) {
  const seen = new Map<string, { workload: string; label: string; concurrencies: number[] }>();
  for (const { workload, label, concurrency } of figures) {
    const known = seen.get(`${workload} ${label}`) ?? { workload, label, concurrencies: [] };
    if (!known.concurrencies.includes(concurrency)) known.concurrencies.push(concurrency);
    seen.set(`${workload} ${label}`, known);
  }
  return [...seen.values()].map(({ workload, label, concurrencies }) => {
    const concurrency = concurrencies.includes(32) ? 32 : (concurrencies[0] ?? 1);
    const name = workloads.find((one) => one.name === workload)?.title ?? workload;
    const title = `${name}, ${label}, ${concurrency} at once`;
    return { workload, label, concurrency, title };
  });
}

function bar(name: string, value: number | undefined, y: number): string {
  if (value === undefined) return "";
  const length = Math.min(value, valueMax) * scale;
  const text = value > valueMax ? `${formatNumber(value)} →` : formatNumber(value);
  return `<rect class="${classOf(name)}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight - 2}" rx="2"><title>${name}: ${formatNumber(value)}</title></rect><text class="figure" x="${(left + length + 5).toFixed(1)}" y="${y + barHeight - 3}">${text}</text>`;
}

function legend(names: readonly string[]): string {
  return names
    .map((name, index) => {
      const x = 20 + index * 130;
      return `<rect class="${classOf(name)}" x="${x}" y="42" width="12" height="12" rx="2"/><text class="label" x="${x + 18}" y="52">${name}</text>`;
    })
    .join("\n");
}

function gridLine(value: number, { top, bottom }: { top: number; bottom: number }): string {
  const x = left + value * scale;
  return `<line class="${value === 1 ? "one" : "grid"}" x1="${x}" x2="${x}" y1="${top - 6}" y2="${bottom}"/><text class="figure" x="${x}" y="${bottom + 16}" text-anchor="middle">${value}</text>`;
}

function classOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

const style = `
text { font-family: system-ui, sans-serif; }
.heading { font-size: 15px; font-weight: 600; } .label { font-size: 11.5px; } .figure { font-size: 9.5px; }
.ground { fill: #ffffff; stroke: #d5dde2; } text { fill: #1d2a31; } .figure { fill: #4c5c65; }
.grid { stroke: #e3e9ec; } .one { stroke: #1d2a31; stroke-dasharray: 3 3; }
.ours { fill: #0f6283; } .portkey { fill: #d0662b; } .bare-dispatch { fill: #9aa8b0; } .nginx { fill: #5f8f3e; }
@media (prefers-color-scheme: dark) {
  .ground { fill: #12191d; stroke: #2c3a42; } text { fill: #e4ecf0; } .figure { fill: #a9b8c0; }
  .grid { stroke: #253138; } .one { stroke: #e4ecf0; }
  .ours { fill: #7cc4de; } .portkey { fill: #f0985f; } .bare-dispatch { fill: #71818a; } .nginx { fill: #93c56f; }
}
`;
