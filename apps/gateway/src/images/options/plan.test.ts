import { expect, test } from "vitest";
import type { ImageRequest } from "../../domain/requests.js";
import { planImages } from "./plan.js";
import { customProfile, type ImageProfileName, imageProfiles } from "./profiles.js";

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
  ["dall-e", { output_format: "webp", output_compression: 50 }, { response_format: "b64_json" }],
  [
    "dall-e",
    { size: "auto", quality: "auto", background: "auto", moderation: "auto", stream: false },
    { response_format: "b64_json" },
  ],
  ["dall-e", { stream: true, partial_images: 3 }, { response_format: "b64_json" }],
  ["sketch", { moderation: "auto", response_format: "b64_json", user: "u" }, { user: "u" }],
])("%s gets for %j the call %j", (profile, options, sent) => {
  expect(plan(profile, options).calls).toEqual([sent]);
});

test.each<[ImageProfileName, Options, string, string]>([
  ["gpt-image", { style: "vivid" }, "style", "unsupported_parameter"],
  ["gpt-image", { quality: "hd" }, "quality", "unsupported_value"],
  ["dall-e", { size: "1536x1024" }, "size", "unsupported_value"],
  ["dall-e", { background: "transparent" }, "background", "unsupported_value"],
  ["dall-e", { moderation: "low" }, "moderation", "unsupported_parameter"],
  ["sketch", { size: "10x10" }, "size", "unsupported_value"],
  ["sketch", { input_fidelity: "high" }, "input_fidelity", "unsupported_parameter"],
  ["sketch", { stream: true, response_format: "url" }, "response_format", "invalid_value"],
  ["sketch", { background: "transparent", output_format: "jpeg" }, "background", "invalid_value"],
])("%s refuses %j by name", (profile, options, param, code) => {
  expect(() => plan(profile, options)).toThrow(expect.objectContaining({ param, code }));
});

test("more images than one call can return take several calls", () => {
  const profile = customProfile({ like: "gpt-image", maxN: 4 });

  expect(planImages({ prompt: "a", n: 10 }, profile).calls.map(({ n }) => n ?? 1)).toEqual([4, 4, 2]);
  expect(planImages({ prompt: "a", n: 3 }, customProfile({ like: "gpt-image", maxN: 1 })).calls).toEqual([
    { prompt: "a" },
    { prompt: "a" },
    { prompt: "a" },
  ]);
});

test("without a response_format, images are delivered as the upstream would", () => {
  expect(plan("gpt-image", {}).delivery.envelope).toBe("b64_json");
  expect(plan("dall-e", {}).delivery.envelope).toBe("url");
  expect(plan("dall-e", { stream: true }).delivery.envelope).toBe("b64_json");
});

test("a custom profile sends no parameter with a single possible value", () => {
  const profile = customProfile({
    like: "gpt-image",
    sizes: ["1024x1024"],
    qualities: ["auto"],
    outputFormats: ["jpeg"],
    streaming: false,
  });

  expect(profile.parameters).toEqual(["background", "n", "moderation", "input_fidelity"]);
});
