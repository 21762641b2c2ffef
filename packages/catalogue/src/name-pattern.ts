/** How a name fits: as the catalogue has read it, or because an earlier generation is taken for it. */
export type NameFit = "known" | "assumed";

const starsMax = 3;
const rule = /\((\d{1,4}(?:\.\d{1,4})?)\+\)/;

/**
 * Compiles a name of the catalogue, or a pattern. `*` matches any text, or none. `(4+)` matches the number 4, and any
 * later one: `embed-v(4+)*` holds for version 5 until the catalogue knows that. A pattern between two stars says little
 * about a name, so that its facts are assumed as well. Undefined for any other text.
 */
export function readNamePattern(pattern: string): ((name: string) => NameFit | undefined) | undefined {
  const first = rule.exec(pattern)?.[1];
  const rest = pattern.replace(rule, "");
  if (/[()+]/.test(rest) || rest.split("*").length - 1 > starsMax) return undefined;
  const fit: NameFit = pattern.startsWith("*") && pattern.endsWith("*") ? "assumed" : "known";
  const expression = new RegExp(
    `^${pattern
      .split(/(\*|\(.*?\+\))/)
      .map(sourceOf)
      .join("")}$`,
  );
  return (name) => {
    const found = expression.exec(name);
    if (found === null) return undefined;
    if (first === undefined) return fit;
    const order = compareVersions(found[1] ?? "", first);
    return order < 0 ? undefined : order === 0 ? fit : "assumed";
  };
}

function sourceOf(part: string): string {
  if (part === "*") return ".*";
  // A version with a point is compared with a point: 2.6 is later than 2.5.
  if (rule.test(part)) return part.includes(".") ? "(\\d{1,4}(?:\\.\\d{1,4})?)" : "(\\d{1,4})";
  return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split(".").map(Number);
  return major - otherMajor || minor - otherMinor;
}
