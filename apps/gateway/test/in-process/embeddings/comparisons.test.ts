import type { Schemas } from "@model-gateway/domain/operations";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { type ModelServer, startModelServer, width } from "../../servers/model-server.js";

let servers: readonly ModelServer[];
beforeAll(async () => {
  servers = await Promise.all(["v1", "v2", "v1"].map(startModelServer));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Two upstreams, and models that they serve. */
function configOf(models: readonly string[], { second = 1, weight = 1 } = {}): string {
  const entry = (name: string, index: number) =>
    `  ${name}: { provider: openai-compatible, baseUrl: "${servers[index]?.baseUrl}" }`;
  const targets = `[{ upstream: one, model: m }, { upstream: two, model: m, weight: ${weight} }]`;
  return `
upstreams:
${entry("one", 0)}
${entry("two", second)}
models:
${models.map((id) => `  ${id}: { type: embedding, dimensions: ${width}, targets: ${targets} }`).join("\n")}
`;
}

test("a comparison is out of date once a target is another one, and is dropped with its model", async () => {
  const gateway = await startGateway(configOf(["kept", "removed"]));
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const read = async <K extends "AdminModelList" | "Alerts">(path: string) =>
    (await (await gateway.send(path, { headers })).json()) as Schemas[K];
  const seen = async () => {
    const { data } = await read<"AdminModelList">("/admin/v1/models");
    const { comparisons } = await read<"Alerts">("/admin/v1/alerts");
    return {
      last: data.map(({ id, comparison }) => [id, comparison?.verdict, comparison?.outdated]),
      alerts: comparisons.map(({ model }) => model),
    };
  };
  const compare = (model: string) =>
    gateway.sendJson("/admin/v1/space-comparisons", { model }, { headers: { ...headers } });
  await compare("kept");
  await compare("removed");
  const different = await seen();

  // Other weights change nothing.
  await gateway.reload(configOf(["kept", "removed"], { weight: 3 }));
  const reweighted = await seen();
  await gateway.reload(configOf(["kept"], { second: 2 }));
  const moved = await seen();
  // Dropping is not awaited by the reload: a model of this name begins without a verdict.
  await gateway.reload(configOf(["kept", "removed"], { second: 2 }));
  await expect.poll(async () => (await seen()).last[1]).toEqual(["removed", undefined, undefined]);
  await compare("kept");
  const compared = await seen();
  await gateway.stop();

  expect(different).toEqual({
    last: [
      ["kept", "different", false],
      ["removed", "different", false],
    ],
    alerts: ["kept", "removed"],
  });
  expect(reweighted).toEqual(different);
  expect(moved).toEqual({ last: [["kept", "different", true]], alerts: [] });
  expect(compared).toEqual({
    last: [
      ["kept", "same", false],
      ["removed", undefined, undefined],
    ],
    alerts: [],
  });
});
