import { expect, test } from "vitest";
import { closeNames, closestName } from "./close-names.js";

const parameters = ["model", "input", "encoding_format", "dimensions", "user", "n", "size"];
const models = ["gte-small", "text-embedding-3-small", "text-embedding-3-large", "gpt-image-2", "ada"];

test.each([
  ["inputs", parameters, "input"],
  ["imput", parameters, "input"],
  ["modle", parameters, "model"],
  ["Model", parameters, "model"],
  ["encodingFormat", parameters, "encoding_format"],
  ["encoding-format", parameters, "encoding_format"],
  ["dimenisons", parameters, "dimensions"],
  ["seed", parameters, undefined],
  ["truncate", parameters, undefined],
  ["m", parameters, undefined],
  ["", parameters, undefined],
  ["__proto__", parameters, undefined],
  ["inputinput", parameters, undefined],
  ["tragets", ["target", "targets"], "targets"],
  ["emedding", ["embedding", "image"], "embedding"],
  ["video", ["embedding", "image"], undefined],
  ["gte-samll", models, "gte-small"],
  ["GTE-Small", models, "gte-small"],
  ["text-embeding-3-small", models, "text-embedding-3-small"],
  ["gpt-imgae-2", models, "gpt-image-2"],
  ["add", models, "ada"],
  ["aab", models, undefined],
  ["port", [], undefined],
])("%s: the closest of %j is %s", (given, names, closest) => {
  expect(closestName(given, names)).toBe(closest);
});

test("the closest names come first, and three at most", () => {
  const similar = ["model-12", "model-1", "model-13", "model-2", "model-1x"];

  expect(closeNames("model-1", similar)).toEqual(["model-1", "model-12", "model-13"]);
});

test("a text that is too long for a name is not compared", () => {
  const long = "a".repeat(257);

  expect(closeNames(long, [long])).toEqual([]);
});

test("a thousand names are compared and no more", () => {
  let read = 0;
  function* endless(): Generator<string> {
    for (;;) {
      read += 1;
      yield "x".repeat(256);
    }
  }

  closeNames("y".repeat(256), endless());

  expect(read).toBe(1001);
});
