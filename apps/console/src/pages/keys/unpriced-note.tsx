import type { ShownModel } from "../../operations/listModels.js";
import { linkTo } from "../../routes/address.js";
import { nameUnpriced, unpricedModels } from "./unpriced-models.js";

interface UnpricedNoteProps {
  /** The models that the key may call. */
  readonly models: readonly ShownModel[];
  /** Whether a link leads to the form for the price. A form with typed text has none. */
  readonly isLinked?: boolean;
}

/** A warning that the budget of a key leaves out some of its models. Nothing if all have a price. */
export function UnpricedNote({ models, isLinked = false }: UnpricedNoteProps) {
  const names = nameUnpriced(models);
  const [first] = unpricedModels(models);
  if (names === undefined || first === undefined) return null;
  return (
    <p className="small tone-warn" role="status">
      {`The budget does not count ${names}, because no price is known. `}
      {isLinked && <a href={linkTo("/models/change", { model: first.id })}>Set a price</a>}
    </p>
  );
}
