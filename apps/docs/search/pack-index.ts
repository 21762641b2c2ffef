import type { AsPlainObject } from "minisearch";

/**
 * The index in half of the bytes of its JSON. Ids of sections are their positions. A term is a line: its name, and for
 * each field the sections that have it, as distances in base 36, with the count where it is more than one.
 */
export function packIndex(index: AsPlainObject): string {
  const { fieldIds, averageFieldLength, fieldLength, storedFields } = index;
  const sections = Object.keys(storedFields).map((id) => [
    Object.values(storedFields[id] ?? {}),
    fieldLength[id],
  ]);
  const terms = index.index.map(
    ([term, fields]) =>
      `${term} ${Object.entries(fields)
        .map(([id, counts]) => id + packCounts(counts))
        .join(";")}`,
  );
  return JSON.stringify({ fieldIds, averageFieldLength, sections, terms: terms.join("\n") });
}

/** The same index, in the form that MiniSearch loads. */
export function unpackIndex(text: string, storeFields: readonly string[]): AsPlainObject {
  const { fieldIds, averageFieldLength, sections, terms } = JSON.parse(text) as Packed;
  const ids = sections.map((_, id) => id);
  return {
    documentCount: ids.length,
    nextId: ids.length,
    documentIds: Object.fromEntries(ids.map((id) => [id, id])),
    fieldIds,
    averageFieldLength,
    fieldLength: Object.fromEntries(sections.map(([, lengths], id) => [id, lengths])),
    storedFields: Object.fromEntries(
      sections.map(([values], id) => [
        id,
        Object.fromEntries(storeFields.map((name, index) => [name, values[index]])),
      ]),
    ),
    dirtCount: 0,
    serializationVersion: 2,
    index: terms.split("\n").map((line) => {
      const [term = "", fields = ""] = line.split(" ");
      return [term, Object.fromEntries(fields.split(";").map(unpackCounts))];
    }),
  } as unknown as AsPlainObject;
}

interface Packed {
  readonly fieldIds: Record<string, number>;
  readonly averageFieldLength: readonly number[];
  readonly sections: readonly (readonly [readonly string[], readonly number[]])[];
  readonly terms: string;
}

function packCounts(counts: Readonly<Record<string, number>>): string {
  let previous = -1;
  return Object.entries(counts)
    .map(([section, count]) => {
      const distance = Number(section) - previous;
      previous = Number(section);
      return `${distance.toString(36)}${count > 1 ? `:${count}` : ""}`;
    })
    .join(",");
}

function unpackCounts(packed: string): [string, Record<string, number>] {
  let section = -1;
  const counts = packed
    .slice(1)
    .split(",")
    .map((part): [number, number] => {
      const [distance = "", count = "1"] = part.split(":");
      section += Number.parseInt(distance, 36);
      return [section, Number(count)];
    });
  return [packed.slice(0, 1), Object.fromEntries(counts)];
}
