import { afterAll, beforeAll, expect, test } from "vitest";
import { createPackedProject, type PackedProject } from "../../../../packages/client/test/packed-project.js";
import { typeCheck } from "../../../../packages/client/test/type-check.js";
import { type BuiltGateway, startBuiltGateway } from "../gateway/built.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";

const config = `
upstreams:
  local: { provider: local }
models:
  gte-small:
    type: embedding
    dimensions: 384
    targets: [{ upstream: local, model: gte-small }]
  local-sketch:
    type: image
    targets: [{ upstream: local, model: local-sketch }]
`;

let gateway: BuiltGateway | undefined;
let project: PackedProject | undefined;

beforeAll(async () => {
  gateway = await startBuiltGateway(config);
  project = await createPackedProject();
});

afterAll(async () => {
  await project?.remove();
  await gateway?.stop();
});

test("a program with the packed client uses a running gateway", async () => {
  if (!project || !gateway) throw new Error("There is no project.");
  const { send } = gateway;
  await expect.poll(async () => (await send("/readyz")).status).toBe(200);
  await project.configure("program.ts");
  const errors = await typeCheck(project.folder);

  const report = JSON.parse(
    await project.run("program.js", {
      GATEWAY_URL: gateway.url,
      GATEWAY_KEY: testKey,
      GATEWAY_ADMIN_KEY: testAdminKey,
    }),
  );

  expect(errors).toEqual([]);
  expect(report).toEqual({
    ready: true,
    models: ["gte-small", "local-sketch"],
    widths: [384, 384],
    requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
    legacyWidths: [384],
    imageHead: [0x89, 0x50, 0x4e, 0x47],
    images: [1, 1, 1],
    provenance: [["c2pa", "not_detected"]],
    editedEvents: expect.arrayContaining(["image_edit.completed"]),
    files: [["requests.jsonl"], '{"custom_id":"one"}\n'],
    unknownModel: ["model_not_found", "model_not_found"],
    emptyImage: { status: 400, code: "unsupported_file_mimetype" },
    missing: { status: 404, code: "model_not_found" },
    thrown: { name: "GatewayRequestError", code: "model_not_found" },
    withoutKey: 401,
    keys: ["mg_", null, "id"],
    usage: "list",
    ownKey: "own_key",
    events: ["stream.started"],
    session: ["operator", "operator", true],
    metrics: "string",
  });
});
