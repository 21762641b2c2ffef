import { contract } from "./contract.js";
import { createImageCases } from "./create-image-cases.js";
import { contractGateway } from "./gateway.js";
import { imageCases } from "./image-cases.js";
import { limitCases } from "./limit-cases.js";

const context = contractGateway("image");
const ask = (fields: object, init?: RequestInit) => () =>
  context.gateway.sendJson("/v1/images/generations", { model: "image", prompt: "a fox", ...fields }, init);

const cases = createImageCases(context);
const shared = imageCases(context, (model, fields, init) => ask({ model, ...fields }, init));
const limits = limitCases(context, (init) => ask({}, init)());

contract("createImage", {
  ...cases,
  200: [...limits[200], ...shared[200], ...cases[200]],
  202: shared[202],
  409: shared[409],
  429: [...limits[429], ...cases[429]],
  503: [...shared[503], ...cases[503]],
});
