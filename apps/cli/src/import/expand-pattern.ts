import { type ModelType, modelTypes } from "@model-gateway/domain/operations";
import { captureWildcard } from "@model-gateway/domain/wildcard";
import { providerOf } from "@model-gateway/providers/registry";
import type { ImportReport } from "./import-report.js";
import { namesKnownTo } from "./model-kinds.js";

/** A provider of the source, as far as its model names go. */
export interface PatternProvider {
  /** The gateway's provider. */
  readonly provider: string;
  /** The types of models that are imported. Default: all. */
  readonly types?: readonly ModelType[];
  /** The names that a `*` stands for, by type, where the gateway takes any name. */
  readonly names?: { readonly [T in ModelType]?: readonly string[] };
}

/** An entry of the source whose names may have a `*`. */
interface PatternEntry {
  readonly modelName: string;
  readonly name: string;
  readonly type: ModelType | undefined;
  readonly provider: PatternProvider;
  /** The entry's path, and that of the pattern in it. */
  readonly path: string;
  readonly patternPath: string;
  readonly title: string;
  readonly report: ImportReport;
}

/** A model of the gateway. Its names may have a `*` as well. */
interface ExpandedModel {
  readonly modelName: string;
  readonly name: string;
  readonly type: ModelType;
}

const page = "guides/configuration.md";

/**
 * The models that an entry stands for. A pattern here has one type, and belongs to an upstream that takes any name: a
 * pattern of the source becomes the narrower ones of each type, or the names that the gateway knows.
 */
export function expandPattern(entry: PatternEntry): ExpandedModel[] {
  const { modelName, name, type, path, patternPath, title, report } = entry;
  const stars = [modelName, name].map((text) => text.split("*").length - 1);
  if (stars.every((count) => count === 0)) return type === undefined ? [] : [{ modelName, name, type }];
  if (stars.some((count) => count !== 1)) {
    report.leaveOut(path, {
      why: "The name for callers and the name at the provider must both have one *, or none",
      page,
      title,
    });
    return [];
  }
  const found = namesOf(entry).map(({ name: one, type: found }) => ({
    modelName: modelName.replace("*", () => captureWildcard(name, one) ?? one),
    name: one,
    type: found,
  }));
  if (found.length === 0)
    report.leaveOut(path, {
      why: "The gateway does not know the models that a * stands for here; name each of them",
      page,
      title,
    });
  else if (found.some((one) => one.name !== name))
    report.leaveOut(patternPath, {
      why: "Of the models that the * stands for, only those below are imported; add others by name",
      page,
      title,
    });
  return found;
}

function namesOf({ name, type, provider }: PatternEntry): { name: string; type: ModelType }[] {
  const isOpen = providerOf(provider.provider).defaults.acceptsUnknown === true;
  const single = type ?? (provider.types?.length === 1 ? provider.types[0] : undefined);
  if (isOpen && single !== undefined) return [{ name, type: single }];
  const types = modelTypes.filter(
    (one) => (single ?? one) === one && provider.types?.includes(one) !== false,
  );
  return types.flatMap((one) => {
    const names = isOpen ? (provider.names?.[one] ?? []) : namesKnownTo(provider.provider, one);
    return names.flatMap((known) =>
      name === "*" || captureWildcard(name, known) !== undefined ? [{ name: known, type: one }] : [],
    );
  });
}
