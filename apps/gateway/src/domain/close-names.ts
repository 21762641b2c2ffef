/** Names are no longer than this. A longer text is not a typing error. */
const lengthMax = 256;
/** How many names are compared at most, so that a wrong name costs little. */
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
    const edits = countEdits(meant, normalise(name), allowed);
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
 * The edits from one text to the other, or any number above `max`. Only cells within `max` of the diagonal are filled:
 * the cost grows with the length of the text, not with its square. https://doi.org/10.1145/363958.363994
 */
function countEdits(from: string, to: string, max: number): number {
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = new Array<number>(to.length + 1).fill(max + 1);
    current[0] = row;
    const end = Math.min(to.length, row + max);
    let fewest = row;
    for (let column = Math.max(1, row - max); column <= end; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column - 1) + (isSame ? 0 : 1),
        at(last, column) + 1,
        at(current, column - 1) + 1,
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      fewest = Math.min(fewest, at(current, column));
    }
    if (fewest > max) return fewest;
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
