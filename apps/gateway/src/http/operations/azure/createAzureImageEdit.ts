import type { Handler } from "../../handler.js";
import { type ImageEditHandlerServices, startImageEdit } from "../createImageEdit.js";

export function createAzureImageEdit(services: ImageEditHandlerServices): Handler<"createAzureImageEdit"> {
  return (request) => startImageEdit(request.body.model, request, services);
}
