import { type Html, html } from "../frame/html.js";
import type { TimePart } from "./benchmark-rows.js";

/** The drawing is as wide as a phone, so that its letters can be read there. */
const size = { width: 360, bar: 22, line: 20, label: 15, gap: 8 };
/** The stylesheet has this many colours for parts. */
const colours = 8;
/** A number below a narrower part would touch the next. */
const numberedPx = 14;

/**
 * One bar of all parts, and the bare proxy's on the same scale. The parts have numbers, and a list below the bars says what
 * they are, in the order of the bar: the colours only help.
 */
export function drawStackedBar(parts: readonly TimePart[], bareMicros: number): Html {
  const whole = parts.reduce((sum, { micros }) => sum + micros, 0);
  const perMicro = size.width / Math.max(whole, bareMicros);
  const bareTop = size.label + size.bar + size.line + size.label;
  const listTop = bareTop + size.bar + size.gap;
  const height = listTop + parts.length * size.line;
  const words = parts.map(({ name, micros, percent }) => `${name} ${round(micros)} µs, ${percent} %`);
  const title = `CPU time of one request: ours ${round(whole)} µs, bare proxy ${round(bareMicros)} µs`;
  return html`<div class="charts"><figure><figcaption>base64, 32 at once: CPU time of one request</figcaption><svg viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${title}. ${words.join("; ")}"><text class="ours" x="0" y="11">ours, ${round(whole)} µs</text>${drawParts(parts, perMicro)}<text x="0" y="${bareTop - 4}">bare proxy, ${round(bareMicros)} µs</text><rect class="other" x="0" y="${bareTop}" width="${(bareMicros * perMicro).toFixed(1)}" height="${size.bar}"/>${parts.map(
    (part, index) => drawLine(part, { index, y: listTop + index * size.line }),
  )}</svg></figure></div>`;
}

function drawParts(parts: readonly TimePart[], perMicro: number): Html[] {
  let x = 0;
  return parts.map(({ micros }, index) => {
    const width = micros * perMicro;
    const middle = x + width / 2;
    const part = html`<rect class="part ${colourOf(index)}" x="${x.toFixed(1)}" y="${size.label}" width="${width.toFixed(1)}" height="${size.bar}"/>${width >= numberedPx && html`<text class="middle" x="${middle.toFixed(1)}" y="${size.label + size.bar + 13}">${index + 1}</text>`}`;
    x += width;
    return part;
  });
}

/** A line of the list: the part's number, colour, name, time and share. */
function drawLine({ name, micros, percent }: TimePart, { index, y }: { index: number; y: number }): Html {
  const text = y + 14;
  return html`<text class="who" x="16" y="${text}">${index + 1}</text><rect class="part ${colourOf(index)}" x="24" y="${y + 4}" width="12" height="12"/><text x="44" y="${text}">${name}</text><text class="value" x="${size.width - 52}" y="${text}">${round(micros)} µs</text><text class="value" x="${size.width}" y="${text}">${percent.toFixed(1)} %</text>`;
}

function colourOf(index: number): string {
  return `s${(index % colours) + 1}`;
}

function round(micros: number): string {
  return micros >= 10 ? micros.toFixed(0) : micros.toFixed(1);
}
