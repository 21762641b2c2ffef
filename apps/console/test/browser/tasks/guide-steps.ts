import { readFileSync } from "node:fs";

const guide = readFileSync(new URL("../../../../docs/guides/the-console.md", import.meta.url), "utf8");

/** The steps of each task in the table of the guide, by the words of its first column. */
export const guideSteps: ReadonlyMap<string, number> = new Map(
  [...guide.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \|$/gm)].map(([, task = "", steps]) => [
    task,
    Number(steps),
  ]),
);
