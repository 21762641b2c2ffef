/** A model by its names: a key may call it if one of them fits. */
export interface NamedModel {
  readonly id: string;
  readonly aliases: readonly string[];
}

/** The models that a key with these ids and patterns may call. */
export function matchModels<Model extends NamedModel>(
  patterns: readonly string[],
  models: readonly Model[],
): Model[] {
  return models.filter(({ id, aliases }) =>
    [id, ...aliases].some((name) => patterns.some((pattern) => matchesPattern(pattern, name))),
  );
}

/** The models that a key may call. @param patterns Null for all. */
export function allowedModels<Model extends NamedModel>(
  patterns: readonly string[] | null,
  models: readonly Model[],
): readonly Model[] {
  return patterns === null ? models : matchModels(patterns, models);
}

/** As the gateway decides: `*` stands for any characters. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return name === pattern;
  if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) return false;
  let place = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, place);
    if (found < 0 || found + part.length > name.length - end.length) return false;
    place = found + part.length;
  }
  return true;
}

/** The entries of a text, separated by commas or spaces. */
export function readPatterns(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
