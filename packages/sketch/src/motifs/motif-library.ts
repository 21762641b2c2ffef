import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { drawnMotifs, giveBody, type Motif, type MotifSection } from "./drawn-motifs.js";

/** All motifs by name. */
export interface MotifLibrary {
  readonly motifs: ReadonlyMap<string, Motif>;
  /** Emoji characters and the names of their motifs. */
  readonly emoji: ReadonlyMap<string, string>;
}

const sections: ReadonlyMap<string, MotifSection> = new Map([
  ["Animals & Nature", "nature"],
  ["People & Body", "people"],
  ["Travel & Places", "travel"],
]);

/** Skin tones are variants of a motif that also exists without one. */
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
    // Symbols are buttons and signs with letters. Their names are everyday words.
    if (category === "Symbols") continue;
    const section = sections.get(category) ?? "things";
    for (const name of Object.values(record(names)).map(String)) {
      // A few names are mirrored copies of other drawings, without a drawing.
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
    throw new TypeError("The emoji set has an unknown format.");
  return value as Record<string, unknown>;
}

/** Motifs use the same gradient ids, and one image may contain several motifs. */
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

/**
 * Motifs that do not fit into a scene: square scenes with their own sky, drawings with writing, and motifs whose name is
 * an everyday word for something else.
 */
const unfitMotifs: ReadonlySet<string> = new Set(
  `bridge-at-night cityscape cityscape-at-dusk desert fog foggy milky-way motorway national-park night-with-stars
   railway-track shooting-star sunrise sunrise-over-mountains sunset mountain-railway fireworks sparkler
   moon-viewing-ceremony flower-playing-cards mahjong-red-dragon white-flower red-envelope love-hotel bus-stop
   mate sake fly hole pick dizzy collision hundred-points zzz anger-symbol dashing-away middle-finger
   breast-feeding cigarette sweat-droplets pile-of-poo water-wave wedding construction cooking seat link label
   clamp locked unlocked fork-and-knife pouring-liquid wind-face map-of-japan new-moon new-moon-face
   biting-lip drop-of-blood pregnant-man pregnant-person pregnant-woman speaking-head kaaba`
    .split(/\s+/)
    .filter((name) => name !== ""),
);
