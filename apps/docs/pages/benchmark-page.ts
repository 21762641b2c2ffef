import { type Html, html } from "../frame/html.js";
import type { SitePage } from "../frame/page-frame.js";
import { type Heading, headingAnchor, type RenderMarkdown } from "../markdown/render-markdown.js";
import { siteLinks } from "../markdown/site-links.js";
import type { Page } from "../read-pages.js";
import { type BenchmarkRow, type BenchmarkSection, readBenchmarks } from "./benchmark-rows.js";
import { firstSentence } from "./text-pages.js";

/** Four figures, charts with the table of each folded, then the method and how to run it. */
export function drawBenchmarkPage(page: Page, render: RenderMarkdown): SitePage {
  const { intro, sections } = readBenchmarks(page.markdown);
  const draw = (text: string) => render(text, siteLinks("benchmarks.md"));
  const measured = sections.filter(({ rows }) => rows.length > 0);
  const others = sections.filter(({ rows }) => rows.length === 0);
  const headings: Heading[] = [...measured, ...others].map(({ title }) => ({
    level: 2,
    text: title,
    id: headingAnchor(title),
  }));
  const heading = (title: string) => html`<h2 id="${headingAnchor(title)}">${title}</h2>`;
  return {
    source: { markdown: page.markdown, resolveLink: siteLinks("benchmarks.md") },
    address: "benchmarks/",
    title: page.title,
    description: firstSentence(intro),
    layout: "text",
    inOrder: true,
    headings,
    body: html`${draw(intro).body}${drawFigures(measured)}
${measured.map((section) => html`${heading(section.title)}${draw(section.text).body}${drawCharts(section)}<details class="nested figures"><summary>All figures</summary>${draw(section.table).body}</details>`)}
${others.map(({ title, text }) => html`${heading(title)}<div class="figures">${draw(text).body}</div>`)}`,
  };
}

function drawFigures(sections: readonly BenchmarkSection[]): Html | undefined {
  const rows = sections.find(({ title }) => title === "One input")?.rows ?? [];
  const row = (who: string, atOnce: string) =>
    rows.find((one) => one.who === who && one.atOnce === atOnce && one.case === "JSON");
  const [ours, alone, direct, portkey] = [
    row("ours", "32"),
    row("ours", "1"),
    row("direct", "1"),
    row("Portkey", "32"),
  ];
  if (!ours || !alone || !direct) return undefined;
  const figures = [
    [`${ours.timesBare.toFixed(2)}×`, "the rate of a bare proxy that checks nothing"],
    ...(portkey
      ? [[`${(ours.requestsPerSecond / portkey.requestsPerSecond).toFixed(1)}×`, "the rate of Portkey"]]
      : []),
    [`${(alone.p50Ms - direct.p50Ms).toFixed(2)} ms`, "added at the median, one request at a time"],
    [`${ours.peakMegabytes} MB`, "peak memory, 32 at once"],
  ];
  return html`<ul class="tiles">${figures.map(([figure, words]) => html`<li><b>${figure}</b> <span>${words}</span></li>`)}</ul>
<p class="limits">One input, JSON, one core. In the charts the bare proxy is 1, the dashed line. Longer is better. Differences below a fifth are noise.</p>`;
}

const compared = ["ours", "bare proxy", "Portkey", "nginx"];
/** The drawing is as wide as a phone, so that its letters can be read there. */
const size = { width: 360, label: 84, value: 46, bar: 18, gap: 7 };

/** One chart for each load. All charts of a section have one scale, and bars begin at zero. */
function drawCharts({ rows }: BenchmarkSection): Html {
  const shown = rows.filter(({ who }) => compared.includes(who));
  const most = Math.max(1, ...shown.map(({ timesBare }) => timesBare));
  const loads = [...new Set(shown.map((row) => `${row.case}, ${row.atOnce} at once`))];
  return html`<div class="charts">${loads.map((load) =>
    drawChart(
      load,
      shown.filter((row) => `${row.case}, ${row.atOnce} at once` === load),
      most,
    ),
  )}</div>`;
}

function drawChart(load: string, rows: readonly BenchmarkRow[], most: number): Html {
  const room = size.width - size.label - size.value;
  const at = (value: number) => size.label + (value / most) * room;
  const height = rows.length * (size.bar + size.gap);
  const words = rows.map(({ who, timesBare }) => `${who} ${timesBare.toFixed(2)}`).join(", ");
  return html`<figure><figcaption>${load}</figcaption><svg viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${load}: ${words}">${rows.map(
    ({ who, timesBare }, index) => {
      const y = index * (size.bar + size.gap) + size.gap / 2;
      const middle = y + size.bar / 2 + 4;
      return html`<text class="who${who === "ours" && " ours"}" x="${size.label - 8}" y="${middle}">${who}</text><rect class="${who === "ours" ? "ours" : "other"}" x="${size.label}" y="${y}" width="${(at(timesBare) - size.label).toFixed(1)}" height="${size.bar}" rx="2"/><text class="value" x="${size.width}" y="${middle}">${timesBare.toFixed(2)}×</text>`;
    },
  )}<line class="one" x1="${at(1).toFixed(1)}" x2="${at(1).toFixed(1)}" y1="0" y2="${height}"/></svg></figure>`;
}
