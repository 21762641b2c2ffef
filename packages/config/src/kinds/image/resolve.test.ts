import type { ImageTraits } from "@model-gateway/providers/traits";
import { expect, test } from "vitest";
import { resolveProfile } from "./resolve.js";

const takesMask: ImageTraits = { profile: "gpt-image", mask: "white" };
const takesNone: ImageTraits = { profile: "gpt-image" };

test.each([
  ["its only target", undefined, [takesMask], true],
  ["all of its targets", "dall-e", [takesMask, { ...takesMask, mask: "alpha" }], true],
  ["none of its targets", undefined, [takesNone], false],
  ["one of two targets", "gpt-image", [takesMask, takesNone], false],
  ["all of its targets, unless the operator has said no", { mask: false }, [takesMask], false],
] as const)("a model takes masks that are taken by %s", (_whose, profile, traits, mask) => {
  expect(resolveProfile({ profile, targets: [] }, traits).mask).toBe(mask);
});
