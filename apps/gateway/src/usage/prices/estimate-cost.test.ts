import { expect, test } from "vitest";
import { estimateCost } from "./estimate-cost.js";

const byTokens = { perMillionInputTokens: { text: 5, image: 8 }, perMillionOutputTokens: 30 };
const byPicture = {
  perImage: { "1024x1024": { low: 0.009, high: 0.133 }, "1536x1024": { low: 0.013, high: 0.2 } },
};

test("the dearest target decides, since any of them may serve", () => {
  const targets = [{ price: { perMillionTokens: 0.02 } }, { price: { perMillionTokens: 0.13 } }, {}];

  expect(estimateCost({ targets, tokens: 100 })).toBe(13_000);
});

test("without any known price there is no estimate", () => {
  expect(estimateCost({ targets: [{}], tokens: 100 })).toBeNull();
  expect(estimateCost({ targets: [{ price: { perImage: 0 } }], tokens: 100, pictures: { count: 1 } })).toBe(
    0,
  );
});

test("pictures are estimated by the table, and by its dearest row where the upstream will choose", () => {
  const ahead = (kind: object) =>
    estimateCost({ targets: [{ price: byPicture }], tokens: 9, pictures: { count: 2, ...kind } });

  expect(ahead({ size: "1024x1024", quality: "low" })).toBe(18_000_000);
  expect(ahead({ size: "1024x1024", quality: "auto" })).toBe(266_000_000);
  expect(ahead({ size: "auto", quality: "low" })).toBe(26_000_000);
  expect(ahead({})).toBe(400_000_000);
});

test("pictures that cost by the token are estimated by their pixels and their quality", () => {
  const ahead = (kind: object) =>
    estimateCost({ targets: [{ price: byTokens }], tokens: 10, pictures: { count: 1, ...kind } });

  expect(ahead({ size: "1024x1024", quality: "low" })).toBe(10 * 5_000 + 272 * 30_000);
  expect(ahead({ size: "1024x1536", quality: "medium" })).toBe(10 * 5_000 + 1584 * 30_000);
  expect(ahead({ size: "auto", quality: "auto" })).toBe(10 * 5_000 + 6240 * 30_000);
});
