import type { Handlers, ValidRequest } from "../../execution/handler.js";

type Originals = Pick<Handlers, "createEmbedding" | "createImage" | "createImageEdit" | "listModels">;

/**
 * The Azure paths, each with the handler of the operation that it aliases. Below `/openai/v1`, requests and responses
 * are those of `/v1`.
 */
export function createAzureHandlers({
  createEmbedding,
  createImage,
  createImageEdit,
  listModels,
}: Originals) {
  return {
    createAzureEmbedding: (request) => createEmbedding(request),
    createAzureImage: (request) => createImage(request),
    createAzureImageEdit: (request) => createImageEdit(request),
    listAzureModels: (request) => listModels(request),
    listAzureDeploymentModels: (request) => listModels(request),
    createAzureDeploymentEmbedding: (request) => createEmbedding(ofDeployment(request)),
    createAzureDeploymentImage: (request) => createImage(ofDeployment(request)),
    createAzureDeploymentImageEdit: (request) => createImageEdit(ofDeployment(request)),
  } satisfies Partial<Handlers>;
}

type DeploymentRequest = ValidRequest<
  "createAzureDeploymentEmbedding" | "createAzureDeploymentImage" | "createAzureDeploymentImageEdit"
>;

/** The deployment is the model. Azure's clients often send another model in the body, which Azure ignores. */
function ofDeployment<R extends DeploymentRequest>(request: R) {
  const body: R["body"] & { model: string } = { ...request.body, model: request.parameters.model };
  return { ...request, body };
}
