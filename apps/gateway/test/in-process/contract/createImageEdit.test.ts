import { expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { contract } from "./contract.js";
import { createImageEditCases } from "./create-image-edit-cases.js";
import { contractGateway } from "./gateway.js";
import { imageCases } from "./image-cases.js";
import { limitCases } from "./limit-cases.js";

const context = contractGateway("image");
const images = [{ image_url: `data:image/png;base64,${tinyPng.toString("base64")}` }];
const json =
  (fields: object, init: RequestInit = {}) =>
  () =>
    context.gateway.sendJson(
      "/v1/images/edits",
      { model: "image", prompt: "a fox", images, ...fields },
      init,
    );

const cases = createImageEditCases(context);
const shared = imageCases(context, (model, fields, init) => json({ model, ...fields }, init));
const limits = limitCases(context, (init) => json({}, init)());

contract("createImageEdit", {
  ...cases,
  200: [...limits[200], ...shared[200], ...cases[200]],
  202: shared[202],
  409: [...shared[409], ...cases[409]],
  429: [...limits[429], ...cases[429]],
  503: [...shared[503], ...cases[503]],
});

test("no file of any form is left behind", async () => {
  await expect.poll(context.gateway.spooled).toEqual([]);
});
