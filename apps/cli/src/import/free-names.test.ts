import { expect, test } from "vitest";
import { FreeNames } from "./free-names.js";

test("a name that is taken gets a number, and each further one the next", () => {
  const names = new FreeNames();
  const taken = new Set(["openai", "openai-3"]);
  const find = () => {
    const name = names.find("openai", "-", (one) => taken.has(one));
    taken.add(name);
    return name;
  };

  expect([find(), find(), find()]).toEqual(["openai-2", "openai-4", "openai-5"]);
});

test("thousands of the same name are found with two looks each", () => {
  const names = new FreeNames();
  const taken = new Set<string>();
  let looks = 0;
  for (let number = 0; number < 20_000; number += 1)
    taken.add(
      names.find("openai", "-", (one) => {
        looks += 1;
        return taken.has(one);
      }),
    );

  expect(taken.size).toBe(20_000);
  expect(looks).toBeLessThanOrEqual(40_000);
});
