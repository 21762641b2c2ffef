import { beforeAll, expect, test } from "vitest";
import { synonyms } from "../prompt/synonyms.js";
import { type MotifLibrary, readMotifLibrary } from "./motif-library.js";

let library: MotifLibrary;
beforeAll(async () => {
  library = await readMotifLibrary();
});

test("every synonym leads to a motif that exists", () => {
  const missing = Object.keys(synonyms).filter((motif) => !library.motifs.has(motif));

  expect(missing).toEqual([]);
});

test("no motif's ids can clash with another's in one image", () => {
  const owners = new Map<string, string>();
  const clashes: string[] = [];
  for (const { name, svg } of library.motifs.values()) {
    for (const [, id = ""] of svg.matchAll(/ id="([^"]+)"/g)) {
      if ((owners.get(id) ?? name) !== name) clashes.push(id);
      owners.set(id, name);
    }
  }

  expect([owners.size > 0, clashes]).toEqual([true, []]);
});

test("skin tones and signs with letters are left out", () => {
  const names = [...library.motifs.keys()];

  expect(names.filter((name) => /-(?:light|medium|dark)$|button/.test(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(1000);
});
