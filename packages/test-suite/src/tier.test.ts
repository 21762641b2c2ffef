import { expect, test } from "vitest";
import { filesOfTier, type Tier } from "./tier.js";

test.each<[Tier, { include: string[]; exclude: string[] }]>([
  ["short", { include: ["src/**/*.test.ts"], exclude: ["src/**/*.full.test.ts"] }],
  ["rest", { include: ["src/**/*.full.test.ts", "src/**/*.property.test.ts"], exclude: [] }],
  ["all", { include: ["src/**/*.test.ts"], exclude: [] }],
])("the files of the tier %s", (tier, files) => {
  expect(filesOfTier(["src/**/*.test.ts"], tier)).toEqual(files);
});
