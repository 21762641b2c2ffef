import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { drawnMotifs } from "./drawn-motifs.js";
import type { Motif, MotifLibrary, MotifSection } from "./motif-library.js";
import { giveBody } from "./plush-body.js";
import { unfitMotifs } from "./unfit-motifs.js";

const sections: ReadonlyMap<string, MotifSection> = new Map([
  ["Animals & Nature", "nature"],
  ["People & Body", "people"],
  ["Travel & Places", "travel"],
]);

/** Skin tones are variants of a motif that is there without one. */
const variantPattern = /-(?:light|medium|medium-light|medium-dark|dark)$/;

/** Reads Microsoft's Fluent emoji (MIT) in Iconify's format, https://iconify.design/docs/types/iconify-json.html. */
export async function readMotifLibrary(): Promise<MotifLibrary> {
  const [icons, metadata, characters] = await Promise.all([
    readPart("icons.json"),
    readPart("metadata.json"),
    readPart("chars.json"),
  ]);
  const motifs = new Map<string, Motif>();
  const drawings = record(icons.icons);
  for (const [category, names] of Object.entries(record(metadata.categories))) {
    // Symbols are buttons and signs with letters on them; their names are everyday words.
    if (category === "Symbols") continue;
    const section = sections.get(category) ?? "things";
    for (const name of Object.values(record(names)).map(String)) {
      // A few names stand for a mirrored copy of another drawing and have none of their own.
      if (variantPattern.test(name) || unfitMotifs.has(name) || drawings[name] === undefined) continue;
      const svg = String(record(drawings[name]).body);
      motifs.set(name, { name, svg: giveBody(name, ownIds(name, svg)), section });
    }
  }
  for (const motif of drawnMotifs) motifs.set(motif.name, motif);
  return { motifs, emoji: readEmoji(characters, motifs) };
}

async function readPart(file: string): Promise<Record<string, unknown>> {
  const path = createRequire(import.meta.url).resolve(`@iconify-json/fluent-emoji-flat/${file}`);
  return record(JSON.parse(await readFile(path, "utf8")));
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null)
    throw new TypeError("The picture set has an unknown shape.");
  return value as Record<string, unknown>;
}

/** Motifs share gradient ids, and several motifs share a picture. */
function ownIds(name: string, svg: string): string {
  return svg.replace(
    /\b(id="|url\(#|href="#)(\w+)/g,
    (_, before: string, id: string) => `${before}${name}-${id}`,
  );
}

function readEmoji(
  characters: Record<string, unknown>,
  motifs: ReadonlyMap<string, Motif>,
): Map<string, string> {
  const emoji = new Map<string, string>();
  for (const [codes, name] of Object.entries(characters)) {
    if (typeof name !== "string" || !motifs.has(name)) continue;
    const text = String.fromCodePoint(...codes.split("-").map((code) => Number.parseInt(code, 16)));
    emoji.set(text, name);
    emoji.set(`${text}\u{FE0F}`, name);
  }
  return emoji;
}
