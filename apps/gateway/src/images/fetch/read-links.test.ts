import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { tinyPng } from "../../../test/fake-upstream/sample-images.mjs";
import { createLinkReader } from "./read-links.js";

const read = createLinkReader(() => Promise.reject(new Error("Nothing is fetched.")));
/** Every piece of the base64 differs, so that one in another place is noticed. */
const image = Buffer.concat([
  tinyPng,
  Buffer.from(Uint32Array.from({ length: 500_000 }, (_, index) => index * 2_654_435_761).buffer),
]);
const base64 = image.toString("base64");

test.each([
  ["on one line", base64],
  ["with line breaks, as MIME has them", base64.replace(/.{76}/g, "$&\r\n")],
])("a data URL of 2 MB %s is read as it was written", async (_name, text) => {
  const [found] = await read(
    [{ url: `data:image/png;base64,${text}`, param: "image" }],
    new AbortController().signal,
  );

  expect(found && (await buffer(found.stream())).equals(image)).toBe(true);
});
