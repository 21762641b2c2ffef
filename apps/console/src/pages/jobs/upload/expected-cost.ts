import type { ShownModel } from "../../../operations/listModels.js";
import { formatUsd } from "../../../parts/format.js";
import type { FilePreview } from "./preview-file.js";

type Wanted = Pick<FilePreview, "items" | "tokens">;
type Priced = Pick<ShownModel, "type" | "targets" | "pricing">;

/**
 * About what a batch will cost, in words. A model that takes several prices for an image is counted with the highest.
 *
 * @param model Undefined if the file names several models, or one that is not known.
 */
export function expectedCost({ items, tokens }: Wanted, model: Priced | undefined): string {
  const rates = model && ratesOf(model);
  if (model === undefined || !rates || rates.length === 0) return "not known";
  if (rates.every(({ usd }) => usd === 0)) return formatUsd(0);
  if (model.type === "embedding") {
    const [rate] = rates.filter(({ billable, unit }) => billable === "input_text" && unit === "token");
    return rate === undefined
      ? "not known"
      : `about ${formatUsd((tokens / rate.per) * rate.usd)}, estimated from the length of the texts`;
  }
  const images = rates.filter(({ billable, unit }) => billable === "output_image" && unit === "image");
  if (images.length === 0) return "not known";
  const most = Math.max(...images.map(({ usd, per }) => usd / per));
  return `${images.length > 1 ? "at most" : "about"} ${formatUsd(most * items)}`;
}

/** The prices of the first target, which serves unless it fails. A caller sees those of the model. */
function ratesOf({ targets, pricing }: Priced): ShownModel["pricing"] {
  return targets?.toSorted((one, other) => one.tier - other.tier)[0]?.pricing ?? pricing;
}
