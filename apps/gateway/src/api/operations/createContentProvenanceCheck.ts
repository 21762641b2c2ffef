import type { ProvenanceChecks } from "@model-gateway/content-credentials/check-provenance";
import { errorOf } from "@model-gateway/domain/errors";
import type { Handler } from "../../execution/handler.js";

export interface ProvenanceHandlerServices {
  readonly provenance: Pick<ProvenanceChecks, "check">;
}

export function createContentProvenanceCheck({
  provenance,
}: ProvenanceHandlerServices): Handler<"createContentProvenanceCheck"> {
  return async ({ images, context: { caller, meter, signal } }) => {
    const [image] = images?.images ?? [];
    if (image === undefined) throw errorOf("missing_required_parameter", { param: "file" });
    await meter?.admitRequest();
    return { body: await provenance.check(image, { caller, signal }) };
  };
}
