import type { Random } from "@model-gateway/test-suite/random";
import { branchesOf, type JsonSchema } from "../../../src/execution/validation/json-schema.js";

/** Values that a gateway knows, by parameter name, such as its model ids. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

interface SchemaWithExamples extends JsonSchema {
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
}

export interface ValueChoices {
  readonly random: Random;
  readonly known: KnownValues;
  /** The name of the parameter, for those that are known. */
  readonly name?: string;
}

/** A value that fits a schema. Lists and texts stay short. */
export function validValue(schema: JsonSchema, { random, known, name = "" }: ValueChoices): unknown {
  const own = known[name];
  if (own !== undefined) return random.pick(own);
  const branch: SchemaWithExamples = random.pick(branchesOf(schema));
  if (branch.enum !== undefined) return random.pick(branch.enum);
  if (branch.pattern !== undefined) return random.pick(branch.examples ?? ["a"]);
  switch (random.pick([branch.type ?? "string"].flat())) {
    case "null":
      return null;
    case "boolean":
      return random.below(2) === 0;
    case "integer":
    case "number":
      return validNumber(branch, random);
    case "array":
      return Array.from({ length: Math.max(branch.minItems ?? 0, random.below(4)) }, () =>
        validValue(branch.items ?? {}, { random, known }),
      );
    case "object":
      return validObject(branch, { random, known });
    default:
      return random.pick([...(branch.examples ?? []), "a", "a cat"]);
  }
}

function validNumber({ minimum = 0, maximum = minimum + 1000 }: JsonSchema, random: Random): number {
  const span = Math.min(maximum - minimum, 1000);
  return random.pick([minimum, maximum, minimum + random.below(Math.max(1, Math.floor(span)))]);
}

/** All that is required, and some of the rest. */
function validObject(schema: SchemaWithExamples, { random, known }: ValueChoices): object {
  const names = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || random.below(4) === 0,
  );
  return Object.fromEntries(
    names.map(([name, property]) => [name, validValue(property, { random, known, name })]),
  );
}
