/**
 * `*` matches any characters, or none. Backtracking goes to the last star only, so the worst case is the product of both
 * lengths.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let patternAt = 0;
  let textAt = 0;
  let star = -1;
  let starTextAt = 0;
  while (textAt < text.length) {
    if (pattern[patternAt] === "*") {
      star = patternAt;
      starTextAt = textAt;
      patternAt += 1;
    } else if (pattern[patternAt] === text[textAt]) {
      patternAt += 1;
      textAt += 1;
    } else if (star !== -1) {
      // The star matches one letter more than before.
      starTextAt += 1;
      textAt = starTextAt;
      patternAt = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[patternAt] === "*") patternAt += 1;
  return patternAt === pattern.length;
}

/** The text that matches the only `*` of a pattern; undefined if the text does not fit or the match is empty. */
export function captureWildcard(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf("*");
  const suffix = pattern.slice(star + 1);
  if (text.length < pattern.length || !text.startsWith(pattern.slice(0, star)) || !text.endsWith(suffix))
    return undefined;
  return text.slice(star, text.length - suffix.length);
}
