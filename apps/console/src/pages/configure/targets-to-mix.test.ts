import { expect, test } from "vitest";
import { compareTargets } from "./targets-to-mix.js";

const target = (upstream: string, model = "m") => ({ upstream, model, others: {} });
const probed = (name: string, ...values: number[]) => ({
  name,
  vectors: [Float32Array.from(values), Float32Array.from([...values].reverse())],
  error: undefined,
});

test("indexes are rebuilt only for a target that the model has already", () => {
  const targets = [target("a"), target("b")];
  const known = { probed: [probed("a / m", 1, 0), probed("b / m", 1, 0, 0)] };
  const verdictWith = (...present: unknown[]) =>
    compareTargets(targets, { ...known, present: { targets: present } });

  expect(verdictWith(target("a"))?.verdict).not.toContain("rebuild");
  expect(verdictWith(target("a"), target("b"))?.verdict).toMatch(
    /, and rebuild the indexes that have its vectors\.$/,
  );
});
