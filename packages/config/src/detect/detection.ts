import type { OfferedModel, OfferedModels } from "@model-gateway/providers/detection";
import type { EnvironmentVariables } from "../files/read-yaml.js";
import { modelSchema } from "../kinds/kinds.js";

/** The upstreams that were found without a configuration file. It has no secrets: the workers get it as JSON. */
export interface Detection {
  readonly upstreams: readonly DetectedUpstream[];
  /** Sentences about variables that could not be used. None quotes a value. */
  readonly warnings: readonly string[];
}

export interface DetectedUpstream {
  /** The variables or the address that it was found by. */
  readonly source: string;
  readonly name: string;
  /** Its settings in the configuration. A secret is a reference such as `${OPENAI_API_KEY}`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Its models in the configuration, by id. */
  readonly models: Readonly<Record<string, object>>;
}

/** The parts of the process that detection reads. */
export interface DetectionPlace {
  readonly environment: EnvironmentVariables;
  readonly workingDirectory: string;
}

/** An upstream whose models have the ids of their provider. */
export interface FoundUpstream extends Omit<DetectedUpstream, "models"> {
  readonly offered: OfferedModels;
}

export interface FoundUpstreams {
  readonly upstreams: readonly FoundUpstream[];
  readonly warnings: readonly string[];
}

/** The most models of one upstream. A worker gets all of them in a variable, which has a bound. */
const modelsMax = 50;
/** A `*` would be a pattern, and a `$` a variable. */
const serverName = /^[\p{L}\p{N}][^*$\p{C}]{0,199}$/u;

/** Gives each model an id that no other has: the first keeps its id, and the next gets `upstream/id`. */
export function withUniqueIds(
  found: readonly FoundUpstream[],
  takenIds: Iterable<string>,
): DetectedUpstream[] {
  const taken = new Set(takenIds);
  return found.map(({ offered, ...upstream }) => {
    const models: Record<string, object> = {};
    for (const [id, model] of modelsOf(offered, upstream.name)) {
      const free = taken.has(id) ? `${upstream.name}/${id}` : id;
      if (taken.has(free)) continue;
      taken.add(free);
      models[free] = model;
    }
    return { ...upstream, models };
  });
}

/** Leaves out names and values that the configuration would refuse: a server may list anything. */
export function withUsableNames(offered: OfferedModels): OfferedModels {
  return Object.fromEntries(
    Object.entries(offered).map(([type, models]) => [
      type,
      Object.fromEntries(
        Object.entries(models)
          .filter(
            ([id, model]) =>
              serverName.test(id) &&
              serverName.test(model.model ?? id) &&
              modelSchema.safeParse(fileOf(id, { type, model, upstream: "any" })).success,
          )
          .slice(0, modelsMax),
      ),
    ]),
  );
}

function modelsOf(offered: OfferedModels, upstream: string): (readonly [string, object])[] {
  return Object.entries(offered).flatMap(([type, models]) =>
    Object.entries(models).map(([id, model]) => [id, fileOf(id, { type, model, upstream })] as const),
  );
}

interface DetectedPlace {
  readonly type: string;
  readonly model: OfferedModel;
  readonly upstream: string;
}

/** A model as an operator would write it. */
function fileOf(id: string, { type, model, upstream }: DetectedPlace): object {
  const { model: name = id, target, ...keys } = model;
  return { type, ...keys, targets: [{ upstream, model: name, ...target }] };
}
