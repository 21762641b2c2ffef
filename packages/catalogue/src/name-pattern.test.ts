import { expect, test } from "vitest";
import { readNamePattern } from "./name-pattern.js";

test.each([
  ["embed-v4.0", "embed-v4.0", "known"],
  ["embed-v4.0", "embed-v4x0", undefined],
  ["embed-v4.0", "embed-v4.0-pro", undefined],
  ["voyage-multimodal*", "voyage-multimodal-3.5", "known"],
  ["voyage-multimodal*", "voyage-multimodal", "known"],
  ["embed-v(4+)*", "embed-v4.0", "known"],
  ["embed-v(4+)*", "embed-v5.0-pro", "assumed"],
  ["embed-v(4+)*", "embed-v12", "assumed"],
  ["embed-v(4+)*", "embed-v3.0", undefined],
  ["embed-v(4+)*", "embed-v", undefined],
  ["gpt-image-(2.5+)-*", "gpt-image-2.5-flare", "known"],
  ["gpt-image-(2.5+)-*", "gpt-image-2.6-flare", "assumed"],
  ["gpt-image-(2.5+)-*", "gpt-image-3-flare", "assumed"],
  ["gpt-image-(2.5+)-*", "gpt-image-2-flare", undefined],
  ["*", "anything", "assumed"],
  ["*embedding*", "text-embedding-v9", "assumed"],
])("%s and %s: %s", (pattern, name, fit) => {
  expect(readNamePattern(pattern)?.(name)).toBe(fit);
});

test.each(["embed-v(4+)-(5+)", "embed-(v4|v5)", "embed+", "a*b*c*d*e", "embed-v(x+)"])(
  "%s is no pattern",
  (pattern) => {
    expect(readNamePattern(pattern)).toBeUndefined();
  },
);

test("a long name costs no more than its length allows", () => {
  const fits = readNamePattern("*-a*-b*");

  expect(fits?.(`${"-a".repeat(500)}-c`)).toBeUndefined();
});
