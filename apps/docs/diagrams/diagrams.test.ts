import { existsSync } from "node:fs";
import { errorTable } from "@model-gateway/spec/errors";
import { describe, expect, test } from "vitest";
import { readPages } from "../read-pages.js";
import { drawDiagram, drawDiagramFile } from "./draw-diagram.js";
import { placeDiagram } from "./place-diagram.js";
import { type Diagram, readDiagram } from "./read-diagram.js";

const guides = await readPages("guides");
const texts = guides.flatMap(({ markdown }) =>
  [...markdown.matchAll(/^```diagram\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text),
);
const diagrams = texts.map(readDiagram);
const path = diagrams.find(({ title }) => title === "The path of a request") as Diagram;

test("the picture in the README is the diagram of the guide", async () => {
  const svg = drawDiagramFile(path);

  await expect(svg, "Run: npx vitest run diagrams -u").toMatchFileSnapshot(
    "../guides/images/request-path.svg",
  );
});

test("the path of a request names files and statuses that exist", () => {
  const statuses = new Set([200, ...Object.values(errorTable).map(({ status }) => status)]);
  const files = path.rows.flatMap(({ boxes }) => boxes.flatMap(({ details }) => details));
  const named = path.rows.flatMap(({ notes }) => notes.flatMap((note) => note.match(/^\d+/) ?? []));

  // A folder of the gateway, or a package that is a part of it.
  const placesOf = (file: string) => [
    `../gateway/src/${file}`,
    `../../packages/${file.replace("/", "/src/")}`,
  ];
  expect(files.filter((file) => !placesOf(file).some((place) => existsSync(place)))).toEqual([]);
  expect(named.filter((status) => !statuses.has(Number(status)))).toEqual([]);
  expect(named.length).toBeGreaterThan(15);
});

describe.each(diagrams)("$title", (diagram) => {
  test.each([700, 352])("%i wide: boxes stand apart, inside the drawing", (width) => {
    const { rows, height } = placeDiagram(diagram, width);
    const boxes = rows.flatMap((row) => row.boxes);

    const outside = boxes.filter(
      (box) => box.x < 0 || box.x + box.width > width || box.y < 0 || box.y + box.height > height,
    );
    const overlapping = boxes.filter((box) =>
      boxes.some(
        (other) =>
          other !== box &&
          box.x < other.x + other.width &&
          other.x < box.x + box.width &&
          box.y < other.y + other.height &&
          other.y < box.y + box.height,
      ),
    );

    expect([outside, overlapping]).toEqual([[], []]);
  });
});

test("a diagram has a title and a description for each width, and no style", () => {
  const { text } = drawDiagram("title: A & B\nabout: In words.\n[a: One | small] (b: Two)  note\na -> b: so");

  expect(
    text.match(/role="img" aria-labelledby="a-b-(?:wide|narrow)-title a-b-(?:wide|narrow)-about"/g),
  ).toHaveLength(2);
  expect(text).toContain(
    '<title id="a-b-wide-title">A &amp; B</title><desc id="a-b-wide-about">In words.</desc>',
  );
  expect(text).not.toContain("style=");
});

test.each([
  ["title: A\nabout: B\nnothing of a diagram", "Not a line of a diagram"],
  ["title: A\nabout: B\n[a: A]\na -> b", "an arrow to b, which is not a box"],
  ["[a: A]", "needs `title:` and `about:`"],
])("%j is refused", (text, message) => {
  expect(() => readDiagram(text)).toThrow(message);
});
