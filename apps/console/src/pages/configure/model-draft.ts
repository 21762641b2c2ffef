import type { Schemas } from "../../operations/schemas.js";
import type { ModelType } from "./model-choices.js";
import { isPrice, priceFault, readPrice, writePrice } from "./model-price.js";
import type { Faults } from "./use-faults.js";

/** A target as the form has it. */
export interface DraftTarget {
  readonly upstream: string;
  readonly model: string;
  /** Everything else that its entry says. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** The state of the form about a model. */
export interface ModelDraft {
  /** Absent until it is typed: the name of the first target's model. */
  readonly id?: string;
  /** Absent until it is chosen. */
  readonly type?: ModelType;
  readonly dimensions: string;
  /** Undefined for a price of several parts, which has no field. */
  readonly price: string | undefined;
  /** The model that serves instead while no target works. Empty for none; image models alone have one. */
  readonly fallback: string;
  readonly targets: readonly DraftTarget[];
}

type Entry = Readonly<Record<string, unknown>>;

/** The draft of a model that exists. */
export function readModel(entry: Entry): ModelDraft {
  const targets = Array.isArray(entry.targets) ? (entry.targets as readonly Entry[]) : [];
  return {
    ...((entry.type === "embedding" || entry.type === "image") && { type: entry.type }),
    dimensions: typeof entry.dimensions === "number" ? String(entry.dimensions) : "",
    price: readPrice(entry.price),
    fallback: typeof entry.fallback === "string" ? entry.fallback : "",
    targets: targets.map(({ upstream, model, ...others }) => ({
      upstream: String(upstream),
      model: String(model),
      others,
    })),
  };
}

export function emptyModel(upstream: string): ModelDraft {
  return { dimensions: "", price: "", fallback: "", targets: [{ upstream, model: "", others: {} }] };
}

/** A draft whose gaps are filled. */
export interface ModelForm extends Required<ModelDraft> {
  readonly isTypeKnown: boolean;
}

interface Sources {
  readonly draft: ModelDraft;
  /** The id of the model to change; undefined for a new one. */
  readonly changed: string | undefined;
  /** The provider of the first target's upstream. */
  readonly provider: Pick<Schemas["Provider"], "model_types" | "example_models"> | undefined;
  readonly configuration: Pick<Schemas["Configuration"], "models">;
}

export function fillModel({ draft, changed, provider, configuration }: Sources): ModelForm {
  const { upstream = "", model = "" } = draft.targets[0] ?? {};
  const { model_types = ["embedding", "image"], example_models } = provider ?? {};
  const example = example_models?.image.includes(model)
    ? "image"
    : example_models?.embedding.includes(model)
      ? "embedding"
      : undefined;
  const known = changed !== undefined ? draft.type : model_types.length === 1 ? model_types[0] : example;
  const freeId = configuration.models[model] === undefined ? model : `${upstream}/${model}`;
  return {
    ...draft,
    id: changed ?? draft.id ?? freeId,
    type: known ?? draft.type ?? model_types[0] ?? "embedding",
    isTypeKnown: known !== undefined,
  };
}

/** The entry of the configuration. Keys that the form does not show stay as they are. */
export function writeModel(
  { type, dimensions, price, fallback, targets }: ModelForm,
  present: Entry = {},
): Record<string, unknown> {
  const width = type === "embedding" && dimensions.trim() !== "" ? Number(dimensions) : undefined;
  const written = {
    ...present,
    type,
    dimensions: width,
    price: price === undefined ? present.price : writePrice(type, price),
    fallback: type === "image" && fallback !== "" ? fallback : undefined,
    targets: targets.map(({ upstream, model, others }) => ({ upstream, model: model.trim(), ...others })),
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
}

/** The faults that need no gateway. */
export function faultsOfModel(
  { id, dimensions, price, targets }: ModelForm,
  taken: Readonly<Record<string, unknown>>,
): Faults {
  const faults: Record<string, string> = {};
  targets.forEach(({ upstream, model }, index) => {
    if (upstream === "") faults[`upstream ${index}`] = "Choose an upstream.";
    if (model.trim() === "") faults[`model ${index}`] = "The name is required.";
  });
  if (id.trim() === "") faults.id = "The id is required.";
  else if (taken[id.trim()] !== undefined) faults.id = `There is a model ${id.trim()} already.`;
  if (dimensions.trim() !== "" && !/^[1-9]\d{0,4}$/.test(dimensions.trim()))
    faults.dimensions = "Enter a whole number from 1 to 65536.";
  if (price !== undefined && !isPrice(price)) faults.price = priceFault;
  return faults;
}

/** The fields of the form, by the paths that the gateway names in a refusal. */
export function modelFieldsByPath({ id, targets }: ModelForm): Readonly<Record<string, string>> {
  const path = `models.${id.trim()}`;
  return Object.fromEntries([
    [path, "id"],
    [`${path}.dimensions`, "dimensions"],
    [`${path}.price`, "price"],
    [`${path}.fallback`, "fallback"],
    [`${path}.type`, "type"],
    ["upstream", "upstream 0"],
    ["model", "model 0"],
    ...targets.flatMap((_, index) => [
      [`${path}.targets[${index}]`, `model ${index}`],
      [`${path}.targets[${index}].upstream`, `upstream ${index}`],
    ]),
  ]);
}
