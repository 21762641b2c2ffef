import { isObject } from "../../domain/json.js";
import type { ModelType } from "../../operations.js";
import { importedKinds, type TargetSource } from "./model-kinds.js";
import type { CarriedProvider } from "./providers.js";
import { present, readNumber } from "./values.js";

interface TypedTargetSource extends TargetSource {
  readonly type: ModelType;
  readonly entry: unknown;
  readonly provider: CarriedProvider;
}

/** The settings of a target: its share, its limits, its price. */
export function readTarget(source: TypedTargetSource): Readonly<Record<string, unknown>> {
  const { type, parameters, entry, place, report, provider } = source;
  const outer = isObject(entry) ? entry : {};
  const read = (key: string, bounds: { min: number; max: number; isWhole?: true }) =>
    readNumber(parameters[key] ?? outer[key], { ...bounds, place: `${place}.${key}`, report });
  const whole = { min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true } as const;
  return present({
    ...provider.targets?.[type],
    weight: read("weight", { min: Number.MIN_VALUE, max: Number.MAX_SAFE_INTEGER }),
    tier: read("order", whole),
    requestsPerMinute: read("rpm", whole),
    tokensPerMinute: read("tpm", whole),
    maxConcurrency: read("max_parallel_requests", { ...whole, max: 100_000 }),
    ...importedKinds[type].readTarget(source),
  });
}
