/** Splits text into terms, for the index and for queries. Codes and options also count as their words. */
export function tokenize(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_.-]+/u)
    .flatMap((word) => {
      const whole = word.replace(/^[._-]+|[._-]+$/g, "");
      const parts = whole.split(/[._-]+|(?<=[a-z])(?=[A-Z])/);
      return parts.length > 1 ? [whole, ...parts] : [whole];
    })
    .map((term) => term.toLowerCase())
    .filter((term) => term.length > 1 && !common.has(term) && !figure.test(term));
}

/** A measured figure or a sample id. Each would be a term of the index, and no query has one. */
const figure = /^(?:\d+\.\d+|[\da-f-]{20,})$/;

/** A trailing "s" makes no difference: "limits" finds "limit". */
export function normalize(term: string): string {
  return term.length > 4 && /[^su]s$/.test(term) ? term.slice(0, -1) : term;
}

const common = new Set(
  "of is in it to or an as by on at so be do if no the and for with that this are not its can has have how what when does from into than then which who why you your".split(
    " ",
  ),
);
