import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openUpstream } from "@model-gateway/providers/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import type { StrictServer } from "../strict-server.js";
import { bedrockRegion, failure, startFakeBedrock } from "./fake-bedrock.js";
import type { AccessKey } from "./verify-signature.js";

/** The access keys that the service of the platform has issued, and that the fake accepts. */
const keys = new Map<string, AccessKey>();
let issuer: Server;
let fake: StrictServer;
let gateway: InProcessGateway;

beforeAll(async () => {
  let count = 0;
  issuer = createServer({ keepAliveTimeout: 120_000 }, (_request, response) => {
    count += 1;
    const AccessKeyId = `ASIA${count}`;
    keys.set(AccessKeyId, { secret: `secret-${count}`, sessionToken: `session-${count}` });
    response.end(
      JSON.stringify({
        AccessKeyId,
        SecretAccessKey: `secret-${count}`,
        Token: `session-${count}`,
        Expiration: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const uri = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/v1/credentials`;
  fake = await startFakeBedrock({ keys });
  gateway = await startGateway(
    `
upstreams: { aws: { provider: bedrock, region: ${bedrockRegion}, baseUrl: "${fake.origin}" } }
models: { m: { type: embedding, targets: [{ upstream: aws, model: "amazon.titan-embed-text-v2:0" }] } }
`,
    {
      openUpstream: (upstream, tools) =>
        openUpstream(upstream, { ...tools, environment: { AWS_CONTAINER_CREDENTIALS_FULL_URI: uri } }),
    },
  );
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
  issuer.close();
});

const statusOf = async (input: string | string[]) =>
  (await gateway.sendJson("/v1/embeddings", { model: "m", input })).status;

test("requests are signed with the container's credentials, which are requested once", async () => {
  expect(await statusOf(Array.from({ length: 40 }, (_, index) => `text ${index}`))).toBe(200);
  expect([...keys.keys()]).toEqual(["ASIA1"]);
});

test("credentials that the service no longer takes are renewed once", async () => {
  keys.delete("ASIA1");

  expect(await statusOf("after the key is gone")).toBe(200);
  expect([...keys.keys()]).toEqual(["ASIA2"]);
});

test("an account without access to the model is not retried with other credentials", async () => {
  fake.scripted.push(failure(403, "AccessDeniedException", "You don't have access to the model."));

  expect(await statusOf("no access")).toBe(502);
  expect([...keys.keys()]).toEqual(["ASIA2"]);
});
