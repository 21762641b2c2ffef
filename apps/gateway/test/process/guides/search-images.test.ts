import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";
import { blocksIn } from "../../repository/blocks.js";
import { type ColourModel, startColourModel } from "../../servers/colour-model.js";

const run = promisify(execFile);
const ofGuide = ([, { page }]: ReturnType<typeof blocksIn>[number]) => page === "images-and-texts.md";
const [[, program] = []] = blocksIn("js").filter(ofGuide);
const command = blocksIn("sh")
  .filter(ofGuide)
  .map(([, { text }]) => text.trim())
  .find((text) => text.startsWith("node "));

let model: ColourModel;
let gateway: InProcessGateway;
const folder = mkdtempSync(join(tmpdir(), "search-"));
beforeAll(async () => {
  model = await startColourModel();
  gateway = await startGateway(`
upstreams: { colours: { provider: openai-compatible, baseUrl: "${model.baseUrl}" } }
models:
  pictures:
    type: embedding
    dimensions: 3
    inputType: document
    targets:
      - upstream: colours
        model: colours
        encoding: none
        inputTypes: { query: query, document: document }
        inputImages: true
`);
  symlinkSync(join(import.meta.dirname, "../../../node_modules"), join(folder, "node_modules"));
  writeFileSync(
    join(folder, "search.mjs"),
    program?.text.replaceAll("http://127.0.0.1:8080", gateway.url) ?? "",
  );
  mkdirSync(join(folder, "holiday"));
  writeFileSync(join(folder, "holiday/notes.txt"), "Not an image.");
  // More than eight, so that the program asks twice.
  for (const [name, background] of Object.entries(images)) {
    const create = { width: 32, height: 32, channels: 3 as const, background };
    await sharp({ create }).toFile(join(folder, "holiday", name));
  }
});
afterAll(async () => {
  await gateway.stop();
  model.close();
});

const images = {
  "boat.png": "#c02018",
  "forest.jpg": "#208030",
  "sky.webp": "#4080e0",
  ...Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`night-${index}.jpeg`, "#202020"])),
};

async function search(words: string): Promise<string[]> {
  const env = { ...process.env, GATEWAY_KEY: testKey };
  const { stdout } = await run(process.execPath, ["search.mjs", "holiday", words], { cwd: folder, env });
  return stdout.trimEnd().split("\n");
}

test("the command of the guide finds the image that fits its words", async () => {
  const [, words = ""] = /^node search\.mjs holiday "([^"]+)"$/.exec(command ?? "") ?? [];

  const found = await search(words);

  expect(found).toHaveLength(5);
  expect(found[0]).toMatch(/^0\.9\d\d boat\.png$/);
});

test.each([
  ["a green hill", "forest.jpg"],
  ["the blue sky above", "sky.webp"],
])("other words find another image: %s", async (words, name) => {
  const [first] = await search(words);

  expect(first).toContain(name);
});
