import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { plainProfile } from "../dialects/images/image-profile.js";
import type { ImageTraits } from "../traits.js";

/** https://www.recraft.ai/docs/api-reference/appendix */
const sizes4 = [
  ...["1024x1024", "1536x768", "768x1536", "1280x832", "832x1280", "1216x896", "896x1216", "1152x896"],
  ...["896x1152", "832x1344", "1280x896", "896x1280", "1344x768", "768x1344"],
];
const sizes3 = [
  ...["1024x1024", "2048x1024", "1024x2048", "1536x1024", "1024x1536", "1365x1024", "1024x1365"],
  ...["1280x1024", "1024x1280", "1434x1024", "1024x1434", "1820x1024", "1024x1820"],
];
const doubled = (size: string) =>
  size
    .split("x")
    .map((side) => 2 * Number(side))
    .join("x");

const version4: ImageProfile = {
  ...plainProfile,
  name: "recraft-4",
  parameters: ["size", "n", "response_format"],
  sizes: ["auto", ...sizes4],
  responseFormats: ["b64_json", "url"],
  maxN: 6,
  maxPromptLength: 10_000,
};
const version3: ImageProfile = {
  ...version4,
  name: "recraft-3",
  parameters: [...version4.parameters, "negative_prompt"],
  sizes: ["auto", ...sizes3],
  maxPromptLength: 1000,
};
const edits = { edits: true } as const;
const vector = { outputFormats: ["svg"] } as const;

/** The first that fits counts. A name that ends with `_vector` creates svg images. */
const profiles: readonly (readonly [RegExp, ImageProfile])[] = [
  [
    /^recraftv4(_1)?(_utility)?_pro$/,
    { ...version4, ...edits, name: "recraft-4-pro", sizes: ["auto", ...sizes4.map(doubled)] },
  ],
  [
    /^recraftv4(_1)?(_utility)?_pro_vector$/,
    { ...version4, ...vector, name: "recraft-4-pro-vector", sizes: ["auto", ...sizes4.map(doubled)] },
  ],
  [/^recraftv4_1_flash$/, version4],
  [/^recraftv4(_1)?(_utility)?$/, { ...version4, ...edits }],
  [/^recraftv4(_1)?(_utility)?_vector$/, { ...version4, ...vector, name: "recraft-4-vector" }],
  [/^recraftv3$/, { ...version3, ...edits, mask: true }],
  [/^recraftv2$/, { ...version3, name: "recraft-2" }],
  [/^recraftv[23]_vector$/, { ...version3, ...vector, name: "recraft-3-vector" }],
];

/** Undefined for a model that the gateway does not know how to call. */
export function profileOf(model: string): ImageProfile | undefined {
  return profiles.find(([pattern]) => pattern.test(model))?.[1];
}

/** An unknown model's traits do not matter: it is unavailable. */
export function traitsOf(model: string): ImageTraits {
  const profile = profileOf(model) ?? version4;
  return profile.mask ? { profile, mask: "white" } : { profile };
}
