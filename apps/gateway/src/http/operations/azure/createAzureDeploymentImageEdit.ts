import type { Handler } from "../../handler.js";
import { type ImageEditHandlerServices, startImageEdit } from "../createImageEdit.js";

/** The deployment is the model. Azure's clients often send another model in the body, which Azure ignores. */
export function createAzureDeploymentImageEdit(
  services: ImageEditHandlerServices,
): Handler<"createAzureDeploymentImageEdit"> {
  return (request) => startImageEdit(request.parameters.model, request, services);
}
