import { customProfile } from "@model-gateway/config/kinds/image/custom-profile";
import { imageInMemory } from "@model-gateway/domain/image-input";
import { type ImageProfileName, imageProfiles } from "@model-gateway/domain/image-profiles";
import type { ImageRequest } from "@model-gateway/domain/requests";
import { expect, test } from "vitest";
import { planImages } from "./plan.js";

type Options = Omit<ImageRequest, "prompt">;

const plan = (profile: ImageProfileName, options: Options) => {
  const { calls, delivery, stream } = planImages({ prompt: "a", ...options }, imageProfiles[profile]);
  return { calls: calls.map(({ prompt: _prompt, ...call }) => call), delivery, stream };
};

test.each<[ImageProfileName, Options, Options]>([
  ["gpt-image", { response_format: "b64_json", size: "auto" }, { size: "auto" }],
  ["gpt-image", { response_format: "url" }, {}],
  [
    "gpt-image",
    { size: "2048x1152", background: "transparent", output_format: "webp", output_compression: 50 },
    { size: "2048x1152", background: "transparent", output_format: "webp", output_compression: 50 },
  ],
  ["gpt-image", { stream: true, partial_images: 2 }, { stream: true, partial_images: 2 }],
  ["dall-e", { style: "vivid" }, { response_format: "b64_json", style: "vivid" }],
  ["dall-e", { quality: "standard" }, { response_format: "b64_json", quality: "standard" }],
  ["gpt-image", { quality: "standard", style: "vivid" }, { quality: "medium" }],
  ["dall-e", { output_format: "webp", output_compression: 50 }, { response_format: "b64_json" }],
  [
    "dall-e",
    { size: "auto", quality: "auto", background: "auto", moderation: "auto", stream: false },
    { response_format: "b64_json" },
  ],
  ["dall-e", { stream: true, partial_images: 3 }, { response_format: "b64_json" }],
  ["gpt-image", { partial_images: 2 }, {}],
  ["gpt-image", { safety_identifier: "u", user: "v" }, { safety_identifier: "u", user: "v" }],
  ["dall-e", { safety_identifier: "", user: "v" }, { response_format: "b64_json", user: "v" }],
  ["gpt-image-2.5", { complexity: "high" }, { complexity: "high" }],
  [
    "gpt-image-2.5",
    { output_format: "gif", frame_count: 4, frame_duration_ms: 100, n: 2 },
    { output_format: "gif", frame_count: 4, frame_duration_ms: 100, n: 2 },
  ],
  [
    "gpt-image-2.5",
    { output_format: "svg", svg: { model: "author", reasoning: { effort: "low" } } },
    { output_format: "svg", svg: { model: "author", reasoning: { effort: "low" } } },
  ],
  ["sketch", { output_format: "svg" }, { output_format: "svg" }],
  ["sketch", { moderation: "auto", response_format: "b64_json", user: "u" }, { user: "u" }],
])("%s gets for %j the call %j", (profile, options, sent) => {
  expect(plan(profile, options).calls).toEqual([sent]);
});

test.each<[ImageProfileName, Options, string, string]>([
  ["gpt-image", { style: "natural" }, "style", "unsupported_parameter"],
  ["gpt-image", { quality: "hd" }, "quality", "unsupported_value"],
  ["dall-e", { size: "1536x1024" }, "size", "unsupported_value"],
  ["dall-e", { background: "transparent" }, "background", "unsupported_value"],
  ["dall-e", { moderation: "low" }, "moderation", "unsupported_parameter"],
  ["sketch", { size: "10x10" }, "size", "unsupported_value"],
  ["sketch", { input_fidelity: "high" }, "input_fidelity", "unsupported_parameter"],
  ["sketch", { stream: true, response_format: "url" }, "response_format", "invalid_value"],
  ["sketch", { background: "transparent", output_format: "jpeg" }, "background", "invalid_value"],
  ["gpt-image", { output_format: "gif" }, "output_format", "unsupported_value"],
  ["gpt-image", { output_format: "svg" }, "output_format", "unsupported_value"],
  ["dall-e", { output_format: "svg" }, "output_format", "unsupported_value"],
  ["sketch", { output_format: "gif" }, "output_format", "unsupported_value"],
  ["gpt-image", { complexity: "low" }, "complexity", "unsupported_parameter"],
  ["gpt-image", { frame_count: 4 }, "frame_count", "unsupported_parameter"],
  ["gpt-image", { frame_duration_ms: 4 }, "frame_duration_ms", "unsupported_parameter"],
  ["gpt-image", { svg: { model: "a" } }, "svg", "unsupported_parameter"],
  ["sketch", { output_format: "svg", svg: { model: "a" } }, "svg", "unsupported_parameter"],
  ["dall-e", { safety_identifier: "u" }, "safety_identifier", "unsupported_parameter"],
  ["gpt-image-2.5", { frame_count: 4 }, "frame_count", "invalid_value"],
  ["gpt-image-2.5", { frame_duration_ms: 4, output_format: "svg" }, "frame_duration_ms", "invalid_value"],
  ["gpt-image-2.5", { svg: { model: "a" } }, "svg", "invalid_value"],
  ["gpt-image-2.5", { output_format: "svg", n: 2 }, "n", "invalid_value"],
  ["gpt-image-2.5", { output_format: "gif", stream: true }, "stream", "invalid_value"],
  ["gpt-image-2.5", { output_format: "svg", stream: true }, "stream", "invalid_value"],
  ["gpt-image-2.5", { output_format: "gif", output_compression: 50 }, "output_compression", "invalid_value"],
  ["gpt-image-2.5", { output_format: "svg", output_compression: 50 }, "output_compression", "invalid_value"],
  ["gpt-image-2.5", { output_format: "gif", background: "transparent" }, "background", "invalid_value"],
])("%s refuses %j by name", (profile, options, param, code) => {
  expect(() => plan(profile, options)).toThrow(expect.objectContaining({ param, code }));
});

test.each([
  { qualities: ["auto"], sent: undefined },
  { qualities: ["auto", "low", "medium", "high"], sent: "medium" },
  { qualities: ["auto", "standard", "medium"], sent: "standard" },
  { qualities: ["auto", "low", "high"], sent: "unsupported_value" },
])("the quality standard is for a model with $qualities $sent", ({ qualities, sent }) => {
  const profile = customProfile({ like: "gpt-image", qualities }, imageProfiles.sketch);
  const qualityOf = () => planImages({ prompt: "a", quality: "standard" }, profile).calls[0]?.quality;

  if (sent === "unsupported_value") expect(qualityOf).toThrow(expect.objectContaining({ code: sent }));
  else expect(qualityOf()).toBe(sent);
});

test("more images than one call can return take several calls", () => {
  const profile = customProfile({ maxN: 4 }, imageProfiles["gpt-image"]);

  expect(planImages({ prompt: "a", n: 10 }, profile).calls.map(({ n }) => n ?? 1)).toEqual([4, 4, 2]);
  expect(
    planImages({ prompt: "a", n: 3 }, customProfile({ maxN: 1 }, imageProfiles["gpt-image"])).calls,
  ).toEqual([{ prompt: "a" }, { prompt: "a" }, { prompt: "a" }]);
});

test("without a response_format, images are delivered as the upstream would", () => {
  expect(plan("gpt-image", {}).delivery.envelope).toBe("b64_json");
  expect(plan("dall-e", {}).delivery.envelope).toBe("url");
  expect(plan("dall-e", { stream: true }).delivery.envelope).toBe("b64_json");
});

test("a custom profile sends no parameter with a single possible value", () => {
  const changes = {
    like: "gpt-image",
    sizes: ["1024x1024"],
    qualities: ["auto"],
    outputFormats: ["jpeg"],
    streaming: false,
  } as const;

  const profile = customProfile(changes, imageProfiles.sketch);

  expect(profile.parameters).toEqual([
    "background",
    "n",
    "moderation",
    "input_fidelity",
    "safety_identifier",
  ]);
});

test("a custom profile has the parameters of animations and vectors only with their formats", () => {
  const still = customProfile(
    { like: "gpt-image-2.5", outputFormats: ["png", "jpeg"] },
    imageProfiles.sketch,
  );
  const animated = customProfile(
    { like: "gpt-image-2.5", outputFormats: ["png", "gif"], markup: false },
    imageProfiles.sketch,
  );

  expect(still.parameters).not.toContain("frame_count");
  expect(still.parameters).not.toContain("svg");
  expect(animated.parameters).toEqual(expect.arrayContaining(["frame_count", "frame_duration_ms"]));
  expect(animated).toMatchObject({ mask: true, markup: false });
});

test.each([
  // For conversion, the gateway asks for a format that it can decode.
  { formats: ["svg", "png"], wanted: "webp", sent: { output_format: "png" }, delivered: "webp" },
  { formats: ["svg", "png"], wanted: "png", sent: { output_format: "png" }, delivered: "png" },
  { formats: ["svg", "png"], wanted: undefined, sent: {}, delivered: "svg" },
  { formats: ["svg"], wanted: "svg", sent: {}, delivered: "svg" },
  { formats: ["jpeg", "svg"], wanted: "png", sent: {}, delivered: "png" },
  { formats: ["jpeg", "svg"], wanted: undefined, sent: {}, delivered: undefined },
] as const)("with an upstream that has $formats, $wanted is requested as $sent", (row) => {
  const profile = customProfile({ like: "gpt-image", outputFormats: row.formats }, imageProfiles.sketch);
  const options = row.wanted === undefined ? {} : { output_format: row.wanted };

  const { calls, delivery } = planImages({ prompt: "a", ...options }, profile);

  expect(calls).toEqual([{ prompt: "a", ...row.sent }]);
  expect(delivery.format).toBe(row.delivered);
});

test("an upstream that only creates vectors is not asked for pixels", () => {
  const profile = customProfile({ like: "gpt-image", outputFormats: ["svg"] }, imageProfiles.sketch);

  expect(() => planImages({ prompt: "a", output_format: "png" }, profile)).toThrow(
    "Unsupported value: 'output_format' does not support 'png' with this model. Supported values are: 'svg'.",
  );
});

test("an edit creates no vector, asks for the first other format, and no animation with a mask", () => {
  const image = imageInMemory(Buffer.alloc(1), "png");
  const edit = { prompt: "a", images: [image] as const };
  const profile = customProfile(
    { like: "gpt-image-2.5", outputFormats: ["svg", "gif", "png"] },
    imageProfiles.sketch,
  );
  const vectors = customProfile({ like: "gpt-image-2.5", outputFormats: ["svg"] }, imageProfiles.sketch);

  expect(planImages(edit, profile).calls).toEqual([{ ...edit, output_format: "gif" }]);
  expect(() => planImages(edit, vectors)).toThrow(expect.objectContaining({ param: "output_format" }));
  expect(() => planImages({ ...edit, mask: image }, profile)).toThrow(
    expect.objectContaining({ param: "mask", code: "invalid_value" }),
  );
});

test("a custom profile without a name is like that of its provider", () => {
  const profile = customProfile({ maxN: 1 }, imageProfiles.sketch);

  expect(profile.sides).toEqual({ min: 16, max: 4096 });
});

test("seeds and negative prompts are passed on by profiles that have them, and refused by name by others", () => {
  const profile = customProfile({ seed: true, negativePrompt: true }, imageProfiles["gpt-image"]);
  const request = { prompt: "a", seed: 7, negative_prompt: "text" };

  expect(planImages(request, profile).calls).toEqual([request]);
  expect(() => plan("gpt-image", { seed: 0 })).toThrow(
    expect.objectContaining({ code: "unsupported_parameter", param: "seed" }),
  );
  expect(() => plan("sketch", { negative_prompt: "text" })).toThrow(
    expect.objectContaining({ code: "unsupported_parameter", param: "negative_prompt" }),
  );
});

test("calls of one request have different seeds, or they would create the same images", () => {
  const profile = customProfile({ seed: true, maxN: 2 }, imageProfiles["gpt-image"]);

  const { calls } = planImages({ prompt: "a", n: 5, seed: 4_294_967_293 }, profile);

  expect(calls.map(({ n, seed }) => [n, seed])).toEqual([
    [2, 4_294_967_293],
    [2, 0],
    [undefined, 2],
  ]);
});

test("a model that keeps content credentials offers the upstream's own formats alone", () => {
  const formats = { outputFormats: ["png", "jpeg"] } as const;
  const profile = {
    ...customProfile({ like: "gpt-image", ...formats }, imageProfiles.sketch),
    keepsCredentials: true,
  };

  expect(planImages({ prompt: "a", output_format: "jpeg", output_compression: 50 }, profile)).toMatchObject({
    calls: [{ output_format: "jpeg", output_compression: 50 }],
    delivery: { format: "jpeg", keepsCredentials: true },
  });
  expect(() => planImages({ prompt: "a", output_format: "webp" }, profile)).toThrow(
    "Supported values are: 'png', 'jpeg'. A conversion would remove content credentials, which this model keeps.",
  );
});

test("compression that the gateway would do is refused by a model that keeps content credentials", () => {
  const jpeg = customProfile({ like: "gpt-image", outputFormats: ["jpeg"] }, imageProfiles.sketch);
  const profile = { ...jpeg, keepsCredentials: true };

  expect(planImages({ prompt: "a", output_compression: 100 }, profile).delivery.compression).toBeUndefined();
  expect(planImages({ prompt: "a", output_compression: 50 }, jpeg).delivery.compression).toBe(50);
  expect(() => planImages({ prompt: "a", output_compression: 50 }, profile)).toThrow(
    expect.objectContaining({ code: "unsupported_parameter", param: "output_compression" }),
  );
});

test.each<[ImageProfileName, Options, boolean]>([
  ["gpt-image", { partial_images: 2 }, true],
  ["gpt-image", {}, false],
  ["gpt-image-2.5", { partial_images: 2, output_format: "gif" }, false],
  ["dall-e", { partial_images: 2 }, false],
])("the calls of %s for %j stream partial images of a document: %j", (profile, options, streams) => {
  const { calls, stream } = planImages({ prompt: "a", ...options }, imageProfiles[profile], {
    showsProgress: true,
  });

  const expected = streams ? { stream: true, partial_images: 2 } : {};
  const { stream: sent, partial_images } = calls[0] ?? {};
  expect([stream, { stream: sent, partial_images }]).toEqual([
    false,
    { stream: undefined, partial_images: undefined, ...expected },
  ]);
});

test.each<[Options, object]>([
  [{}, {}],
  [{ background: "auto", quality: "auto" }, {}],
  [{ background: "transparent" }, { background: "transparent" }],
  [
    { background: "opaque", quality: "high" },
    { background: "opaque", quality: "high" },
  ],
])("images for %j are delivered and described with %j", (options, expected) => {
  const { background, quality, keepsCredentials, compression } = plan("gpt-image", options).delivery;

  expect({ background, quality }).toEqual({ background: undefined, quality: undefined, ...expected });
  expect([keepsCredentials, compression]).toEqual([undefined, undefined]);
});

test("compression is done once: by an upstream that can, or else here", () => {
  const options = { output_format: "webp", output_compression: 50 } as const;

  expect(plan("gpt-image", options).delivery.compression).toBeUndefined();
  expect(plan("dall-e", options).delivery.compression).toBe(50);
});

test("a stream is a stream, also of an upstream that does not stream", () => {
  for (const profile of ["gpt-image", "dall-e"] as const) {
    expect(plan(profile, { stream: true }).stream).toBe(true);
    expect(plan(profile, { stream: false }).stream).toBe(false);
  }
});
