import { networkInterfaces } from "node:os";
import { createKeyText } from "@model-gateway/domain/key-text";
import { expect, test } from "vitest";
import { startGateway } from "../../gateway/in-process.js";
import { suiteGateway } from "../../gateway/suite.js";

const localSecret = createKeyText("mg_local_");
const config = `
upstreams: { local: { provider: local } }
models: { local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }`;
const suite = suiteGateway(() => config, { localSecret });

const withSecret = (headers: Readonly<Record<string, string>> = {}) => ({
  headers: { authorization: `Bearer ${localSecret}`, ...headers },
});

test("the secret of a run opens the admin API and a session for the machine of the gateway", async () => {
  const { gateway } = suite;

  const listed = await gateway.send("/admin/v1/keys", withSecret());
  const created = await gateway.send("/admin/v1/sessions", { method: "POST", ...withSecret() });

  expect([listed.status, created.status]).toEqual([200, 200]);
  expect(await created.json()).toMatchObject({ kind: "operator" });
});

test("it is not an API key", async () => {
  const response = await suite.gateway.send("/v1/models", withSecret());

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining("The admin key cannot be used for this operation") },
  });
});

test.each([
  ["x-forwarded-for", "192.0.2.1"],
  ["x-forwarded-for", "127.0.0.1"],
  ["forwarded", "for=192.0.2.1"],
])("a proxy on the same machine cannot pass it on for others: %s %s", async (name, value) => {
  const { gateway } = suite;

  const listed = await gateway.send("/admin/v1/keys", withSecret({ [name]: value }));
  const created = await gateway.send("/admin/v1/sessions", {
    method: "POST",
    ...withSecret({ [name]: value }),
  });

  expect([listed.status, created.status]).toEqual([401, 401]);
});

test("another secret of the same form is refused, and so is each if the gateway has none", async () => {
  const without = await startGateway(config);

  const other = { headers: { authorization: `Bearer ${createKeyText("mg_local_")}` } };
  const statuses = [
    (await suite.gateway.send("/admin/v1/keys", other)).status,
    (await without.send("/admin/v1/keys", withSecret())).status,
  ];
  await without.stop();

  expect(statuses).toEqual([401, 401]);
});

test("a gateway on an address of the network accepts it from its own machine", async (context) => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address;
  context.skip(own === undefined, "this machine has no address besides the loopback");
  const gateway = await startGateway(`host: ${own}${config}`, { localSecret });

  const response = await gateway.send("/admin/v1/keys", withSecret());
  await gateway.stop();

  expect(response.status).toBe(200);
});
