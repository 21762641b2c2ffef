import type { Schemas } from "../../operations/schemas.js";
import { guessType, type ModelType, typeFault } from "./model-choices.js";
import { isPrice, priceFault, readPrice, writePrice } from "./model-price.js";
import { namesDiffer, readSpace, withSpace } from "./target-space.js";
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
  /** The vector space that all targets share. Empty: each has the one of its name. */
  readonly space: string;
  /** The meaning of requests without an input type. Empty for none; some providers need one. */
  readonly inputType: string;
  readonly targets: readonly DraftTarget[];
}

type Entry = Readonly<Record<string, unknown>>;

/** The draft of a model that exists. */
export function readModel(entry: Entry): ModelDraft {
  const entries = Array.isArray(entry.targets) ? (entry.targets as readonly Entry[]) : [];
  const targets = entries.map(({ upstream, model, ...others }) => ({
    upstream: String(upstream),
    model: String(model),
    others,
  }));
  return {
    ...((entry.type === "embedding" || entry.type === "image") && { type: entry.type }),
    dimensions: typeof entry.dimensions === "number" ? String(entry.dimensions) : "",
    price: readPrice(entry.price),
    fallback: typeof entry.fallback === "string" ? entry.fallback : "",
    space: readSpace(targets),
    inputType: typeof entry.inputType === "string" ? entry.inputType : "",
    targets,
  };
}

export const emptyTarget: DraftTarget = { upstream: "", model: "", others: {} };

export function emptyModel(first: Partial<DraftTarget>): ModelDraft {
  const targets = [{ ...emptyTarget, ...first }];
  return { dimensions: "", price: "", fallback: "", space: "", inputType: "", targets };
}

/** A draft whose gaps are filled. */
export interface ModelForm extends Required<Omit<ModelDraft, "type">> {
  /** Undefined until it is chosen, if neither the provider nor the name shows it. */
  readonly type: ModelType | undefined;
  /** Whether it is certain, so that there is nothing to choose. */
  readonly isTypeKnown: boolean;
  /** Whether only the name suggests it. */
  readonly isTypeGuessed: boolean;
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
  const chosen = known ?? draft.type;
  const type = chosen ?? guessType(model, model_types);
  return {
    ...draft,
    id: changed ?? draft.id ?? freeId,
    type,
    isTypeKnown: known !== undefined,
    isTypeGuessed: chosen === undefined && type !== undefined,
  };
}

/** The entry of the configuration. Keys that the form does not show stay as they are. */
export function writeModel(
  { type, dimensions, price, fallback, space, inputType, targets }: ModelForm,
  present: Entry = {},
): Record<string, unknown> {
  const width = type === "embedding" && dimensions.trim() !== "" ? Number(dimensions) : undefined;
  const written = {
    ...present,
    type,
    dimensions: width,
    inputType: type === "embedding" && inputType !== "" ? inputType : undefined,
    price: price === undefined ? present.price : type && writePrice(type, price),
    fallback: type === "image" && fallback !== "" ? fallback : undefined,
    targets: targets.map(({ upstream, model, others }) => ({
      upstream,
      model: model.trim(),
      ...withSpace(others, type === "embedding" ? space.trim() : ""),
    })),
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
}

/** The faults that need no gateway. */
export function faultsOfModel(
  { id, type, dimensions, price, space, targets }: ModelForm,
  taken: Readonly<Record<string, unknown>>,
): Faults {
  const faults: Record<string, string> = {};
  targets.forEach(({ upstream, model }, index) => {
    if (upstream === "") faults[`upstream ${index}`] = "Choose an upstream.";
    if (model.trim() === "") faults[`model ${index}`] = "The name is required.";
  });
  if (id.trim() === "") faults.id = "The id is required.";
  else if (taken[id.trim()] !== undefined) faults.id = `There is a model ${id.trim()} already.`;
  if (type === undefined) faults.type = typeFault;
  if (type === "embedding" && space.trim() === "" && namesDiffer(targets))
    faults.space = "The targets have different names, so their vector space needs one.";
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
    [`${path}.inputType`, "inputType"],
    [`${path}.price`, "price"],
    [`${path}.fallback`, "fallback"],
    [`${path}.type`, "type"],
    ...targets.map((_, index) => [`${path}.targets[${index}].space`, "space"]),
    ["upstream", "upstream 0"],
    ["model", "model 0"],
    ...targets.flatMap((_, index) => [
      [`${path}.targets[${index}]`, `model ${index}`],
      [`${path}.targets[${index}].upstream`, `upstream ${index}`],
    ]),
  ]);
}
