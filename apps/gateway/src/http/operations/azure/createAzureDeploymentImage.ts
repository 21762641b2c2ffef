import type { Handler } from "../../handler.js";
import { type ImageHandlerServices, startImage } from "../createImage.js";

/** The deployment is the model. Azure's clients often send another model in the body, which Azure ignores. */
export function createAzureDeploymentImage(
  services: ImageHandlerServices,
): Handler<"createAzureDeploymentImage"> {
  return (request) => startImage(request.parameters.model, request, services);
}
