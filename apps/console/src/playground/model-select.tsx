import type { ShownModel } from "../operations/listModels.js";
import { SelectField } from "../parts/fields.js";
import { changeQuery, useAddress } from "../routes/address.js";

interface ModelSelectProps {
  readonly models: readonly ShownModel[];
  readonly chosen: ShownModel;
}

/** The model of a playground is in the address, so that a link opens it. */
export function ModelSelect({ models, chosen }: ModelSelectProps) {
  const address = useAddress();
  return (
    <SelectField
      label="Model"
      value={chosen.id}
      options={models.map(modelOption)}
      onChange={(model) => changeQuery(address, { model })}
      {...(chosen.statusReason !== undefined && { hint: chosen.statusReason })}
    />
  );
}

export function modelOption({ id, status }: ShownModel): { readonly value: string; readonly label: string } {
  return { value: id, label: status === "failing" || status === "unavailable" ? `${id} (${status})` : id };
}

/** The model named in the URL, or else the first that is ready. A pattern cannot be called. */
export function chooseModel(
  all: readonly ShownModel[],
  type: ShownModel["type"],
  wanted: string | null,
): { readonly models: readonly ShownModel[]; readonly chosen: ShownModel | undefined } {
  const models = all.filter((model) => model.type === type && !model.isPattern);
  const chosen =
    models.find(({ id, aliases }) => id === wanted || aliases.includes(wanted ?? "")) ??
    models.find(({ status }) => status !== "unavailable") ??
    models[0];
  return { models, chosen };
}
