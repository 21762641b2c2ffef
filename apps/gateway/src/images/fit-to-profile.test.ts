import { expect, test } from "vitest";
import type { ImageRequest } from "../domain/requests.js";
import { fitToProfile } from "./fit-to-profile.js";
import { type ImageProfileName, imageProfiles } from "./profiles.js";

const fit = (profile: ImageProfileName, options: Omit<ImageRequest, "prompt">) => {
  const { prompt: _prompt, ...fitted } = fitToProfile({ prompt: "a", ...options }, imageProfiles[profile]);
  return fitted;
};

test.each<[ImageProfileName, Omit<ImageRequest, "prompt">, Omit<ImageRequest, "prompt">]>([
  ["gpt-image", { response_format: "b64_json", size: "auto" }, { size: "auto" }],
  [
    "gpt-image",
    { size: "2048x1152", background: "transparent", output_format: "webp" },
    { size: "2048x1152", background: "transparent", output_format: "webp" },
  ],
  [
    "dall-e",
    { response_format: "b64_json", style: "vivid" },
    { response_format: "b64_json", style: "vivid" },
  ],
  [
    "dall-e",
    {
      size: "auto",
      quality: "auto",
      background: "auto",
      moderation: "auto",
      stream: false,
      output_format: "png",
    },
    {},
  ],
  ["sketch", { moderation: "auto", response_format: "b64_json", user: "u" }, { user: "u" }],
])("%s sends of %j no more than its upstream takes", (profile, asked, sent) => {
  expect(fit(profile, asked)).toEqual(sent);
});

test.each<[ImageProfileName, Omit<ImageRequest, "prompt">, string, string]>([
  ["gpt-image", { response_format: "url" }, "response_format", "unsupported_value"],
  ["gpt-image", { style: "vivid" }, "style", "unsupported_parameter"],
  ["gpt-image", { quality: "hd" }, "quality", "unsupported_value"],
  ["dall-e", { size: "1536x1024" }, "size", "unsupported_value"],
  ["dall-e", { background: "transparent" }, "background", "unsupported_value"],
  ["dall-e", { output_format: "webp" }, "output_format", "unsupported_value"],
  ["dall-e", { stream: true }, "stream", "unsupported_parameter"],
  ["dall-e", { moderation: "low" }, "moderation", "unsupported_parameter"],
  ["sketch", { moderation: "low" }, "moderation", "unsupported_parameter"],
  ["sketch", { input_fidelity: "high" }, "input_fidelity", "unsupported_parameter"],
])("%s refuses %j by name", (profile, asked, param, code) => {
  expect(() => fit(profile, asked)).toThrow(expect.objectContaining({ param, code }));
});
