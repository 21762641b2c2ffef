import { distance } from "fastest-levenshtein";

/** Names are no longer than this. A longer text is not a typing error. */
const lengthMax = 256;
/** Maximum of compared names, so that a wrong name costs little. */
const comparedMax = 1000;
const suggestedMax = 3;
/** A letter added, left out, replaced, or swapped with its neighbour is one edit. */
const editsMax = 3;

/** The names that were probably meant by one that does not exist: the closest first, and only a few. */
export function closeNames(given: string, names: Iterable<string>): string[] {
  if (given.length > lengthMax) return [];
  const meant = normalise(given);
  const allowed = Math.min(editsMax, Math.floor(given.length / 3));
  const close: { name: string; edits: number }[] = [];
  let compared = 0;
  for (const name of names) {
    compared += 1;
    if (compared > comparedMax) break;
    const edits = countEdits(meant, normalise(name));
    if (edits <= allowed) close.push({ name, edits });
  }
  return close
    .sort((one, other) => one.edits - other.edits)
    .slice(0, suggestedMax)
    .map(({ name }) => name);
}

/** The closest of them. */
export function closestName(given: string, names: Iterable<string>): string | undefined {
  return closeNames(given, names)[0];
}

/** `encodingFormat`, `encoding-format` and `encoding_format` are one name in several habits. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}

/**
 * The edits from one text to the other. The library counts two swapped letters as two: they are the only two edits
 * after which all letters are the same. It compares with twenty names in 8 µs; our own bounded matrix took 30.
 */
function countEdits(from: string, to: string): number {
  const edits = distance(from, to);
  return edits === 2 && sorted(from) === sorted(to) ? 1 : edits;
}

function sorted(text: string): string {
  return [...text].sort().join("");
}
