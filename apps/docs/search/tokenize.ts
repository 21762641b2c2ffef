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
    .filter((term) => term.length > 1 && !common.has(term));
}

/** A trailing "s" makes no difference: "limits" finds "limit". */
export function normalize(term: string): string {
  return term.length > 4 && /[^su]s$/.test(term) ? term.slice(0, -1) : term;
}

const common = new Set(
  "the and for with that this are not its can has have how what when does from into than then which who why you your".split(
    " ",
  ),
);
