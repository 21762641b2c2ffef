import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { indexOptions } from "./find-sections.js";
import { packIndex, unpackIndex } from "./pack-index.js";

test("an index that is packed and unpacked is the same", () => {
  const index = new MiniSearch(indexOptions);
  index.addAll(
    ["cache cache vectors", "", "vectors of a model", "a cache"].map((text, id) => ({
      id,
      title: `Page ${id}`,
      heading: id === 1 ? "" : "Heading",
      name: "",
      text,
      address: `guides/${id}/`,
    })),
  );
  const whole = JSON.parse(JSON.stringify(index));

  const unpacked = unpackIndex(packIndex(index.toJSON()), indexOptions.storeFields);

  expect(JSON.parse(JSON.stringify(unpacked))).toEqual(whole);
});
