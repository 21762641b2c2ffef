import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type CaseKind, jsonRequest, type MalformedCase } from "./malformed-case.js";

/** Well-formed requests that only the models themselves can find fault with. */
export const localModels: CaseKind = function* (random) {
  for (const [name, input] of texts)
    yield { name: `${name} to embed`, bytes: embed(input), outcome: "taken or refused" };
  yield {
    name: "a text past the model's length",
    bytes: embed("word ".repeat(5000)),
    outcome: "refused",
    status: 400,
    param: "input",
  };
  yield {
    name: "token ids for a model without our tokens",
    bytes: embed([1, 2]),
    outcome: "refused",
    status: 400,
    param: "input",
  };
  for (const [name, prompt] of texts)
    yield { name: `${name} to draw`, bytes: draw({ prompt, size: "64x64" }), outcome: "taken or refused" };
  for (const size of ["10x10", "10x9999", "9999x10", "9999x9999", "15x4097"]) {
    yield {
      name: `a drawing of ${size}`,
      bytes: draw({ prompt: "a", size }),
      outcome: "refused",
      status: 400,
      param: "size",
    };
  }
  for (const [name, content] of brokenImages) {
    yield refusedImage(`${name} to edit`, edit({ images: [reference(content)] }));
    yield refusedImage(`${name} among others`, edit({ images: [reference(tinyPng), reference(content)] }));
    yield refusedImage(
      `${name} for a mask`,
      edit({ images: [reference(tinyPng)], mask: reference(content) }),
    );
  }
  for (let round = 0; round < 25; round += 1) {
    const content = Buffer.concat([
      tinyPng.subarray(0, 8 + random.below(40)),
      random.bytes(random.below(300)),
    ]);
    yield {
      name: `an image that turns to noise in round ${round}`,
      bytes: edit({ images: [reference(content)] }),
      outcome: "taken or refused",
    };
  }
};

const embed = (input: unknown) =>
  jsonRequest("/v1/embeddings", JSON.stringify({ model: "gte-small", input }));
const draw = (options: object) =>
  jsonRequest("/v1/images/generations", JSON.stringify({ model: "local-sketch", ...options }));
const edit = (options: object) =>
  jsonRequest("/v1/images/edits", JSON.stringify({ model: "local-sketch", prompt: "a", ...options }));
const reference = (content: Buffer) => ({ image_url: `data:image/png;base64,${content.toString("base64")}` });

function refusedImage(name: string, bytes: Buffer): MalformedCase {
  return { name, bytes, outcome: "refused", status: 400 };
}

const texts: readonly (readonly [string, string])[] = [
  ["a space", " "],
  ["a null byte", "\u0000"],
  ["every control letter", String.fromCharCode(...Array(32).keys())],
  ["lone surrogates", "\ud800 \udfff\ud800"],
  ["accents without a letter", "\u0301".repeat(2000)],
  ["text from right to left", "\u202e\u05d0\u200f".repeat(50)],
  ["markup", '</text><script>alert(1)</script><!--]]>&#0;&bogus;"'],
  ["a word of 20,000 letters", "a".repeat(20_000)],
  ["special tokens", "[CLS] [SEP] [PAD] [MASK] [UNK] </s> <|endoftext|>"],
  ["emoji", "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}".repeat(20)],
];

const signature = tinyPng.subarray(0, 8);
/** An image that says it is 60,000 pixels wide and high. */
const bomb = Buffer.from(tinyPng);
bomb.writeUInt32BE(60_000, 16);
bomb.writeUInt32BE(60_000, 20);

const brokenImages: readonly (readonly [string, Buffer])[] = [
  ["a signature alone", signature],
  ["a signature and zeros", Buffer.concat([signature, Buffer.alloc(1000)])],
  ["a PNG without its end", tinyPng.subarray(0, 40)],
  ["a JPEG of three bytes", Buffer.from("ffd8ff", "hex")],
  ["a WebP without an image", Buffer.from("RIFF\u0000\u0000\u0000\u0000WEBPVP8 ")],
  ["an image of 60,000 by 60,000", bomb],
];
