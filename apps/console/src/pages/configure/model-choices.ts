import type { Schemas } from "../../operations/schemas.js";
import { writePrice } from "./model-price.js";

export type ModelType = Schemas["Model"]["type"];
type Provider = Pick<Schemas["Provider"], "model_types" | "example_models">;

/** The choices for a model of an upstream. Absent settings have their defaults. */
export interface ModelChoice {
  readonly isTicked: boolean;
  readonly id?: string;
  readonly type?: ModelType;
  /** The width that a trial has found. */
  readonly dimensions?: number;
  /** In US dollars, as it is typed. */
  readonly price?: string;
}

/** Choices, by the names that the models have at the upstream. */
export type ModelChoices = Readonly<Record<string, ModelChoice>>;

/** A model that the upstream may have, as the form offers it. */
export interface OfferedModel {
  readonly name: string;
  readonly isTicked: boolean;
  readonly id: string;
  readonly type: ModelType;
  /** Whether the type is known for certain. */
  readonly isTypeKnown: boolean;
  readonly dimensions: number | undefined;
  readonly price: string;
}

interface Sources {
  readonly provider: Provider;
  readonly upstream: string;
  /** The upstream's own list, if there is one. */
  readonly listed: readonly string[] | null | undefined;
  readonly choices: ModelChoices;
  /** Ids that the configuration has already. */
  readonly takenIds: ReadonlySet<string>;
}

/** The models to choose from: those that fit the gateway first, then the others of the upstream's own list. */
export function offerModels({ provider, upstream, listed, choices, takenIds }: Sources): OfferedModel[] {
  const examples = exampleNames(provider);
  // A list of the upstream is the truth. Examples only stand in for it.
  const names = [...new Set([...(listed ?? examples), ...Object.keys(choices)])];
  const rank = (name: string) => (examples.includes(name) ? 0 : /embed|image/i.test(name) ? 1 : 2);
  return names
    .sort((one, other) => rank(one) - rank(other))
    .map((name) => {
      const { isTicked = false, id, type, dimensions, price = "" } = choices[name] ?? {};
      const known = knownType(name, provider);
      return {
        name,
        isTicked,
        id: id ?? (takenIds.has(name) ? `${upstream}/${name}` : name),
        type: type ?? known ?? guessType(name, provider),
        isTypeKnown: known !== undefined,
        dimensions,
        price,
      };
    });
}

/** The choices with the ids that ticked models have now. */
export function settleIds(choices: ModelChoices, offered: readonly OfferedModel[]): ModelChoices {
  const ticked = offered.filter(({ isTicked }) => isTicked);
  return {
    ...choices,
    ...Object.fromEntries(ticked.map(({ name, id }) => [name, { isTicked: true, ...choices[name], id }])),
  };
}

/** The entries of the configuration for ticked models. */
export function writeModels(
  offered: readonly OfferedModel[],
  { provider, upstream }: Pick<Sources, "provider" | "upstream">,
): Record<string, Record<string, unknown>> {
  const examples = exampleNames(provider);
  return Object.fromEntries(
    offered
      .filter(({ isTicked }) => isTicked)
      .map(({ id, name, type, dimensions, price }) => [
        id.trim(),
        {
          type,
          ...(price.trim() !== "" && { price: writePrice(type, price) }),
          // The gateway knows the width of the provider's usual models.
          ...(dimensions !== undefined && !examples.includes(name) && { dimensions }),
          targets: [{ upstream, model: name }],
        },
      ]),
  );
}

/** The name under which the fault of a model's id, or of its price, is reported. */
export function faultName(model: string, field: "id" | "price" = "id"): string {
  return field === "id" ? `model ${model}` : `model price ${model}`;
}

function exampleNames({ example_models }: Provider): string[] {
  return [...example_models.embedding, ...example_models.image];
}

function knownType(name: string, { model_types, example_models }: Provider): ModelType | undefined {
  if (model_types.length === 1) return model_types[0];
  if (example_models.embedding.includes(name)) return "embedding";
  return example_models.image.includes(name) ? "image" : undefined;
}

function guessType(name: string, { model_types }: Provider): ModelType {
  const guess = /image|dall-e|flux|diffusion|sdxl/i.test(name) ? "image" : "embedding";
  return model_types.includes(guess) ? guess : (model_types[0] ?? "embedding");
}
