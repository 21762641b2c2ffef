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
  /** The meaning of requests without an input type. */
  readonly inputType?: string;
}

/** Choices, by the names that the models have at the upstream. */
export type ModelChoices = Readonly<Record<string, ModelChoice>>;

/** A model that the upstream may have, as the form offers it. */
export interface OfferedModel {
  readonly name: string;
  readonly isTicked: boolean;
  readonly id: string;
  /** Undefined until it is chosen, if neither the provider nor the name shows it. */
  readonly type: ModelType | undefined;
  /** Whether the type is known for certain. */
  readonly isTypeKnown: boolean;
  /** Whether only the name suggests it. */
  readonly isTypeGuessed: boolean;
  readonly dimensions: number | undefined;
  readonly price: string;
  /** Empty for none. */
  readonly inputType: string;
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
  // A list of the upstream is the truth. Examples only stand in for it.
  const names = [...new Set([...(listed ?? exampleNames(provider)), ...Object.keys(choices)])];
  return rankNames(names, provider).map((name) => {
    const { isTicked = false, id, type, dimensions, price = "", inputType = "" } = choices[name] ?? {};
    const known = knownType(name, provider);
    const chosen = type ?? known;
    const shown = chosen ?? guessType(name, provider.model_types);
    return {
      name,
      isTicked,
      id: id ?? (takenIds.has(name) ? `${upstream}/${name}` : name),
      type: shown,
      isTypeKnown: known !== undefined,
      isTypeGuessed: chosen === undefined && shown !== undefined,
      dimensions,
      price,
      inputType,
    };
  });
}

/** The provider's usual models first, then others whose names fit the gateway: a list may have hundreds that do not. */
export function rankNames(names: readonly string[], provider: Provider): string[] {
  const examples = exampleNames(provider);
  const rank = (name: string) =>
    examples.includes(name) ? 0 : guessType(name, provider.model_types) !== undefined ? 1 : 2;
  return names.toSorted((one, other) => rank(one) - rank(other));
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
      .map(({ id, name, type, dimensions, price, inputType }) => [
        id.trim(),
        {
          type,
          ...(price.trim() !== "" && type && { price: writePrice(type, price) }),
          // The gateway knows the width of the provider's usual models.
          ...(dimensions !== undefined && !examples.includes(name) && { dimensions }),
          ...(inputType !== "" && { inputType }),
          targets: [{ upstream, model: name }],
        },
      ]),
  );
}

/** A setting of a ticked model that may have a fault. */
export type ChoiceField = "id" | "type" | "price" | "inputType";

/** The name under which the fault of a model's setting is reported. */
export function faultName(model: string, field: ChoiceField = "id"): string {
  return field === "id" ? `model ${model}` : `model ${field} ${model}`;
}

/** The fault of a type that is not chosen. */
export const typeFault = "Choose what the model makes.";

/** Models that the provider is known to have. */
export function exampleNames({ example_models }: Provider): string[] {
  return [...example_models.embedding, ...example_models.image];
}

function knownType(name: string, { model_types, example_models }: Provider): ModelType | undefined {
  if (model_types.length === 1) return model_types[0];
  if (example_models.embedding.includes(name)) return "embedding";
  return example_models.image.includes(name) ? "image" : undefined;
}

const namesOfTypes: Readonly<Record<ModelType, RegExp>> = {
  image: /image|dall-e|flux|diffusion|sdxl/i,
  embedding: /embed|minilm|\b(bge|gte|e5)\b/i,
};

/** The type that the name of a model suggests. Undefined if it suggests none. */
export function guessType(name: string, types: readonly ModelType[]): ModelType | undefined {
  return types.find((type) => namesOfTypes[type].test(name));
}
