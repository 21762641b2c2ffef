import { expect, test } from "vitest";
import { filesOfTier, type Tier } from "./tier.js";

const rest = ["src/**/*.full.test.ts", "src/**/*.property.test.ts", "src/**/*.stages.test.ts"];

test.each<[Tier, { include: string[]; exclude: string[] }]>([
  ["short", { include: ["src/**/*.test.ts"], exclude: ["src/**/*.full.test.ts"] }],
  ["rest", { include: rest, exclude: [] }],
  ["all", { include: ["src/**/*.test.ts"], exclude: [] }],
])("the files of the tier %s", (wanted, files) => {
  expect(filesOfTier(["src/**/*.test.ts"], { areSlow: false, wanted })).toEqual(files);
});

test.each<[Tier, { include: string[]; exclude: string[] }]>([
  ["short", { include: ["test/**/*.smoke.test.ts"], exclude: [] }],
  ["rest", { include: ["test/**/*.test.ts"], exclude: ["test/**/*.smoke.test.ts"] }],
  ["all", { include: ["test/**/*.test.ts"], exclude: [] }],
])("the slow files of the tier %s", (wanted, files) => {
  expect(filesOfTier(["test/**/*.test.ts"], { areSlow: true, wanted })).toEqual(files);
});
