import { linkTo } from "../routes/address.js";
import { comparedImages, comparedTexts } from "./space-verdict.js";

/** Opens the vector-space doctor, which runs at once: the calls are named beside the link, since upstreams charge for them. */
export function CompareTargets({ model }: { readonly model: string }) {
  return (
    <span className="row">
      <a className="button" href={linkTo("/upstreams", { examine: model, run: "now", section: "doctor" })}>
        Compare targets
        <span className="visually-hidden">{` of ${model}`}</span>
      </a>
      <span className="small quiet">
        {`embeds ${comparedTexts} short texts at each target, and ${comparedImages} images where it takes them`}
      </span>
    </span>
  );
}
