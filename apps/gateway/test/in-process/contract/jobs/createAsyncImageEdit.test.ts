import { expect } from "vitest";
import { tinyPng } from "../../../fake-upstream/sample-images.mjs";
import type { AskModel } from "../alias-cases.js";
import { contract, saysError } from "../contract.js";
import { contractGateway } from "../gateway.js";
import { createAsyncCases } from "./async-cases.js";

const context = contractGateway("image");
const path = "/v1/async/images/edits";
const images = [{ image_url: `data:image/png;base64,${tinyPng.toString("base64")}` }];
const body = { prompt: "a fox", images };
const ask: AskModel = (model, fields, init) => () =>
  context.gateway.sendJson(path, { model, ...body, ...fields }, init);
const cases = createAsyncCases({ context, path, ask, body });

contract("createAsyncImageEdit", {
  ...cases,
  202: [
    ...cases[202],
    {
      name: "a form",
      send: () => {
        const form = new FormData();
        form.append("model", "good");
        form.append("prompt", "a fox");
        form.append("image", new Blob([new Uint8Array(tinyPng)]), "a.png");
        return context.gateway.send(path, { method: "POST", body: form });
      },
      expect: (created) => expect(created.status).toBe("pending"),
    },
  ],
  400: [
    ...cases[400],
    {
      name: "a file that is not an image",
      send: ask("good", { images: [{ image_url: "data:image/png;base64,AAAA" }] }),
      expect: saysError("unsupported_file_mimetype", "images[0].image_url"),
    },
  ],
});
