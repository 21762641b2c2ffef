import type { Handler } from "../../handler.js";
import { type ImageHandlerServices, startImage } from "../createImage.js";

export function createAzureImage(services: ImageHandlerServices): Handler<"createAzureImage"> {
  return (request) => startImage(request.body.model, request, services);
}
