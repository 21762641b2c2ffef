/** The part of a target that decides its vector space. */
interface NamedTarget {
  readonly model: string;
  readonly others: Readonly<Record<string, unknown>>;
}

type Entry = Readonly<Record<string, unknown>>;

/** The space that the targets of a model name. Empty if none does. */
export function readSpace(targets: readonly NamedTarget[]): string {
  const named = targets.map(({ others }) => others.space).find((space) => typeof space === "string");
  return typeof named === "string" ? named : "";
}

/** Whether the targets come from an entry that names their space. */
export function hasNamedSpace(targets: readonly NamedTarget[]): boolean {
  return targets.some(({ others }) => others.space !== undefined);
}

/** The other keys of a target with the space, or without one if it is empty. Their order stays. */
export function withSpace(others: Entry, space: string): Entry {
  const { space: _earlier, ...rest } = others;
  return space === "" ? rest : { ...others, space };
}

/** Whether the targets have different names at their upstreams, so that only a named space can join them. */
export function namesDiffer(targets: readonly NamedTarget[]): boolean {
  return new Set(targets.map(({ model }) => model.trim()).filter((name) => name !== "")).size > 1;
}

/**
 * A name for the space of all targets. For a model that exists it is the space that it has now, so that its id and its
 * cached vectors stay.
 */
export function suggestSpace(targets: readonly NamedTarget[], present: Entry | undefined): string {
  const first = Array.isArray(present?.targets) ? (present.targets[0] as Entry | undefined) : undefined;
  if (first === undefined) return targets[0]?.model.trim() ?? "";
  // The default of the gateway.
  return typeof first.space === "string"
    ? first.space
    : `${String(first.model)}@${String(present?.dimensions ?? "any")}`;
}
