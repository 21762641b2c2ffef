import { expect, test } from "vitest";
import { trustedHtml } from "../frame/html.js";
import { drawSamples } from "./operation-samples.js";
import { type Operation, References, type SpecDocument } from "./spec-document.js";

const document = { paths: {}, components: {} } as unknown as SpecDocument;
const drawing = { references: new References(document), highlight: (source: string) => trustedHtml(source) };
const draw = (source: string) =>
  drawSamples(
    { responses: {}, "x-codeSamples": [{ lang: "Shell", label: "curl", source }] } as unknown as Operation,
    drawing,
  ).text;

test("a long JSON line is written over several lines", () => {
  const json = '{"model": "gte-small", "input": ["The cat sat on the mat.", "A kitten rests on a rug."]}';

  const drawn = draw(`curl http://127.0.0.1:8080/v1/embeddings \\\n  -d '${json}'`);

  const sent = /-d '([\s\S]*)'/.exec(drawn)?.[1] ?? "";
  expect(JSON.parse(sent)).toEqual(JSON.parse(json));
  expect(Math.max(...drawn.split("\n").map((line) => line.length))).toBeLessThan(110);
  expect(sent.split("\n").length).toBeGreaterThan(3);
});

test("a short line stays as it is", () => {
  expect(draw(`curl -d '{"a": 1}' b`)).toContain(`curl -d '{"a": 1}' b`);
});
