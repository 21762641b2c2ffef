import { type Html, html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import { type Heading, headingAnchor, type RenderMarkdown } from "../markdown/render-markdown.js";
import { siteLinks } from "../markdown/site-links.js";
import type { Page } from "../read-pages.js";
import { type BenchmarkRow, type BenchmarkSection, readBenchmarks, readTimeParts } from "./benchmark-rows.js";
import { drawStackedBar } from "./stacked-bar.js";
import { firstSentence } from "./text-pages.js";

/** The added time first, then charts with the table of each folded, the method and how to run it. */
export function drawBenchmarkPage(page: Page, render: RenderMarkdown): SitePage {
  const { intro, sections } = readBenchmarks(page.markdown);
  const draw = (text: string) => render(text, siteLinks("benchmarks.md"));
  const measured = sections.filter(({ rows }) => rows.length > 0);
  const added = sections.find(({ title }) => title === "Added time");
  const spent = sections.find(({ title }) => title === "Where the time goes");
  const others = sections.filter((one) => one.rows.length === 0 && one !== added && one !== spent);
  const first = [added, spent].filter((one) => one !== undefined);
  const headings: Heading[] = [...first, ...measured, ...others].map(({ title }) => ({
    level: 2,
    text: title,
    id: headingAnchor(title),
  }));
  const heading = (title: string) => html`<h2 id="${headingAnchor(title)}">${title}</h2>`;
  const rows = measured.find(({ title }) => title === "One input")?.rows ?? [];
  return {
    source: { markdown: page.markdown, resolveLink: siteLinks("benchmarks.md") },
    address: "benchmarks/",
    title: page.title,
    description: firstSentence(intro),
    layout: "text",
    inOrder: true,
    headings,
    body: html`${drawFigures(rows)}${draw(intro).body}
${added && html`${heading(added.title)}${draw(added.text.replace(/^\|.*$/gm, "")).body}${drawAdded(rows)}`}
${spent && html`${heading(spent.title)}${drawSpent(spent, draw)}`}
${measured.length > 0 && scaleNote}
${measured.map((section) => html`${heading(section.title)}${draw(section.text).body}${drawCharts(section)}<details class="nested figures"><summary>All figures</summary>${draw(section.table).body}</details>`)}
${others.map(({ title, text }) => html`${heading(title)}<div class="figures">${draw(text).body}</div>`)}`,
  };
}

/** The parts of a request's CPU time as one bar, beside the bare proxy's. */
function drawSpent({ text }: BenchmarkSection, draw: (text: string) => { readonly body: Html }): Html {
  const { table, parts, bareMicros } = readTimeParts(text);
  // Only Linux provides the times.
  const isKnown = [bareMicros, ...parts.map(({ micros }) => micros)].every(Number.isFinite);
  return html`${draw(text.replace(table, "")).body}${isKnown && drawStackedBar(parts, bareMicros)}<details class="nested figures"><summary>All figures</summary>${draw(table).body}</details>`;
}

/** The time that a process adds to a direct call, at the median, one input at a time. */
function addedMs(rows: readonly BenchmarkRow[], who: string, format: string): number | undefined {
  const p50 = (one: string) =>
    rows.find((row) => row.who === one && row.case === format && row.atOnce === "1")?.p50Ms;
  const [own, direct] = [p50(who), p50("direct")];
  return own === undefined || direct === undefined ? undefined : own - direct;
}

function drawFigures(rows: readonly BenchmarkRow[]): Html | undefined {
  const row = (who: string) =>
    rows.find((one) => one.who === who && one.atOnce === "32" && one.case === "JSON");
  const [ours, portkey] = [row("ours"), row("Portkey")];
  const [json, base64] = ["JSON", "base64"].map((format) => addedMs(rows, "ours", format));
  if (ours === undefined || json === undefined || base64 === undefined) return undefined;
  const figures = [
    [`${json.toFixed(2)} ms`, `added to a call at the median; with base64, ${base64.toFixed(2)} ms`],
    [`${ours.timesBare.toFixed(2)}×`, "the rate of a bare proxy that checks nothing"],
    ...(portkey
      ? [[`${(ours.requestsPerSecond / portkey.requestsPerSecond).toFixed(1)}×`, "the rate of Portkey"]]
      : []),
    [`${ours.peakMegabytes} MB`, "peak memory, 32 at once"],
  ];
  return html`<ul class="tiles">${figures.map(([figure, words]) => html`<li><b>${figure}</b> <span>${words}</span></li>`)}</ul>
<p class="limits">One input, one core. The added time is that of one request at a time; rates are with 32 at once.</p>`;
}

/** The added milliseconds of each, on one scale. */
function drawAdded(rows: readonly BenchmarkRow[]): Html {
  const formats = ["JSON", "base64"].map((format) => ({
    title: `${format}, one at a time`,
    bars: compared.flatMap((who) => {
      const value = addedMs(rows, who, format);
      return value === undefined ? [] : [{ who, value }];
    }),
  }));
  const most = Math.max(...formats.flatMap(({ bars }) => bars.map(({ value }) => value)));
  return html`<p class="limits">Shorter is better.</p>
<div class="charts">${formats.map(({ title, bars }) => drawChart(title, { bars, most, unit: " ms" }))}</div>`;
}

const scaleNote = html`<p class="limits">In the charts below the bare proxy is 1, the dashed line, and longer is better. Differences below a fifth are noise.</p>`;

const compared = ["ours", "bare proxy", "memory server", "Portkey", "nginx"];
/** The drawing is as wide as a phone, so that its letters can be read there. */
const size = { width: 360, label: 112, value: 56, bar: 18, gap: 7 };

/** One chart for each load. All charts of a section have one scale, and bars begin at zero. */
function drawCharts({ rows }: BenchmarkSection): Html {
  const shown = rows.filter(({ who }) => compared.includes(who));
  const most = Math.max(1, ...shown.map(({ timesBare }) => timesBare));
  const loads = [...new Set(shown.map((row) => `${row.case}, ${row.atOnce} at once`))];
  return html`<div class="charts">${loads.map((load) =>
    drawChart(load, {
      bars: shown
        .filter((row) => `${row.case}, ${row.atOnce} at once` === load)
        .map(({ who, timesBare }) => ({ who, value: timesBare })),
      most,
      unit: "×",
      line: 1,
    }),
  )}</div>`;
}

interface Chart {
  readonly bars: readonly { readonly who: string; readonly value: number }[];
  /** The value of the longest bar of all charts that are compared. */
  readonly most: number;
  readonly unit: string;
  /** A value with a dashed line. */
  readonly line?: number;
}

function drawChart(title: string, { bars, most, unit, line }: Chart): Html {
  const room = size.width - size.label - size.value;
  const at = (value: number) => size.label + (value / most) * room;
  const height = bars.length * (size.bar + size.gap);
  const words = bars.map(({ who, value }) => `${who} ${value.toFixed(2)}${unit}`).join(", ");
  return html`<figure><figcaption>${title}</figcaption><svg viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${title}: ${words}">${bars.map(
    ({ who, value }, index) => {
      const y = index * (size.bar + size.gap) + size.gap / 2;
      const middle = y + size.bar / 2 + 4;
      return html`<text class="who${who === "ours" && " ours"}" x="${size.label - 8}" y="${middle}">${who}</text><rect class="${who === "ours" ? "ours" : "other"}" x="${size.label}" y="${y}" width="${(at(value) - size.label).toFixed(1)}" height="${size.bar}" rx="2"/><text class="value" x="${size.width}" y="${middle}">${value.toFixed(2)}${unit}</text>`;
    },
  )}${line !== undefined && html`<line class="one" x1="${at(line).toFixed(1)}" x2="${at(line).toFixed(1)}" y1="0" y2="${height}"/>`}</svg></figure>`;
}
