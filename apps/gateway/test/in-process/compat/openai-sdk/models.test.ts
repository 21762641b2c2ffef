import { expect, test } from "vitest";
import { collect } from "./collect.js";
import { embeddedGateway } from "./gateways.js";

const embedded = embeddedGateway();

test("models.list gives every embedded model", async () => {
  const models = await collect(embedded.client.models.list());

  expect(models.map(({ id, object }) => ({ id, object }))).toEqual([
    { id: "gte-small", object: "model" },
    { id: "all-MiniLM-L6-v2", object: "model" },
    { id: "local-sketch", object: "model" },
  ]);
});

test("models.retrieve gives one of them, as the list has it", async () => {
  const [listed] = (await embedded.client.models.list()).data;

  const { _request_id, ...retrieved } = await embedded.client.models.retrieve("gte-small");

  expect(retrieved).toEqual(listed);
  expect(retrieved).toMatchObject({
    id: "gte-small",
    created: expect.any(Number),
    owned_by: expect.any(String),
  });
  expect(_request_id).toMatch(/^req_[0-9a-f]{32}$/);
});
