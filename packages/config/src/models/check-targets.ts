import { namedParameters } from "@model-gateway/domain/requests";
import { findProvider } from "@model-gateway/providers/registry";
import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import type { Fault } from "../files/read-yaml.js";

/* Rules about the targets of models, over the raw file. */

/** A target as it is in the file, and where. */
interface FoundTarget {
  readonly modelId: string;
  readonly path: readonly PropertyKey[];
  readonly target: Record<string, unknown>;
}

/**
 * Finds parameters that would never be passed through, or only sometimes: parameters that the spec names, parameters of
 * an upstream with its own dialect, and parameters that only some targets accept.
 */
export function checkPassThrough(file: unknown): Fault[] {
  return targetsOf(file).flatMap((found) => [
    ...refuseNamed(found),
    ...refuseOwnDialect(found, file),
    ...refuseDifference(found, file),
  ]);
}

/** The gateway handles these where it knows the upstream's words for them. Elsewhere they may be passed through. */
const passable: ReadonlySet<unknown> = new Set(["input_type", "seed", "negative_prompt"]);

function refuseNamed({ target, path }: FoundTarget): Fault[] {
  return listAt(target, "passThrough").flatMap((name, index) =>
    (Object.hasOwn(namedParameters, String(name)) && !passable.has(name)) || ownFields(target).includes(name)
      ? [
          {
            path: [...path, "passThrough", index],
            message: `the gateway handles "${String(name)}" itself; remove it from the list`,
          },
        ]
      : [],
  );
}

/** The upstream's names of parameters that the gateway sends itself. */
function ownFields({ dimensionsField, inputTypes, inputTypeField }: FoundTarget["target"]): unknown[] {
  return [dimensionsField, inputTypeField, inputTypes === undefined ? undefined : "input_type"];
}

function refuseOwnDialect({ target, path }: FoundTarget, file: unknown): Fault[] {
  if (target.passThrough === undefined || acceptsUnknown(target, file)) return [];
  return [
    { path: [...path, "passThrough"], message: "this upstream accepts no further parameters; remove it" },
  ];
}

function refuseDifference({ modelId, target, path }: FoundTarget, file: unknown): Fault[] {
  const [first] = listAt(objectAt(objectAt(file, "models"), modelId), "targets");
  if (namesIn(target) === namesIn(first)) return [];
  return [
    {
      path: [...path, "passThrough"],
      message: "must be the same on all targets of the model, because any of them may serve a request",
    },
  ];
}

function namesIn(target: unknown): string {
  return [...new Set(listAt(target, "passThrough"))].sort().join();
}

/** Finds patterns that could not be filled in, and stars where no pattern is. */
export function checkPatterns(file: unknown): Fault[] {
  const models = Object.entries(objectAt(file, "models"));
  return [
    ...models.flatMap(([id, model]) => refusePattern(id, model)),
    ...targetsOf(file).flatMap((found) => refuseStar(found, file)),
  ];
}

function refusePattern(id: string, model: unknown): Fault[] {
  const faults = listAt(model, "aliases").flatMap((alias, index) =>
    starsIn(alias) + starsIn(id) === 0
      ? []
      : [{ path: ["models", id, "aliases", index], message: "a pattern has no aliases, and an alias no *" }],
  );
  if (starsIn(id) < 2) return faults;
  return [{ path: ["models", id], message: "a pattern has one *" }, ...faults];
}

function refuseStar({ modelId, target, path }: FoundTarget, file: unknown): Fault[] {
  const fault = (message: string): Fault[] => [{ path: [...path, "model"], message }];
  if (starsIn(modelId) === 0)
    return starsIn(target.model) === 0 ? [] : fault("has a * although the id of the model has none");
  if (starsIn(target.model) !== 1)
    return fault("needs one *, which stands for the same text as the * in the id of the model");
  return acceptsUnknown(target, file)
    ? []
    : fault("this upstream has a fixed list of models; name each of them");
}

function starsIn(text: unknown): number {
  return String(text).split("*").length - 1;
}

/** Every target of the file. */
function targetsOf(file: unknown): FoundTarget[] {
  return Object.entries(objectAt(file, "models")).flatMap(([modelId, model]) =>
    listAt(model, "targets").flatMap((target, index) =>
      isObject(target) ? [{ modelId, target, path: ["models", modelId, "targets", index] }] : [],
    ),
  );
}

/** An upstream that does not exist, or has no valid provider, is reported separately. */
function acceptsUnknown(target: Record<string, unknown>, file: unknown): boolean {
  const { provider: name } = objectAt(objectAt(file, "upstreams"), String(target.upstream));
  const provider = typeof name === "string" ? findProvider(name) : undefined;
  return provider === undefined || provider.defaults.acceptsUnknown === true;
}
