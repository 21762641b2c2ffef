import { expect, test } from "vitest";
import { AdminClient } from "../gateway/admin-client.js";
import { GatewayFolder } from "../gateway/built.js";
import { testConfig, testEnvironment } from "../gateway/test-gateway.js";
import { bflKey, startFakeBfl } from "../in-process/providers/bfl/fake-bfl.js";

test("a gateway that is stopped while a job runs has a row whose outcome is unknown", async () => {
  const fake = await startFakeBfl();
  fake.jobs.push({ pending: Number.POSITIVE_INFINITY });
  const home = new GatewayFolder(
    `${testConfig}
limits: { stopMs: 8000 }
upstreams: { bfl: { provider: bfl, baseUrl: "${fake.baseUrl}", apiKey: ${bflKey}, allowPrivateUrls: true } }
models:
  flux: { type: image, targets: [{ upstream: bfl, model: flux-dev, price: { perImage: 0.025 } }] }
`,
    testEnvironment,
  );
  const gateway = await home.start();
  const polled = fake.next(({ method }) => method === "GET");

  const response = gateway.sendJson("/v1/images/generations", { model: "flux", prompt: "a fox" });
  response.catch(() => undefined);
  await polled;
  await gateway.stop();
  const next = await home.start();
  const rows = await new AdminClient(next.url).rowsOnce(1);

  expect(rows).toMatchObject([{ operation: "createImage", upstream: "bfl", images: 0, cost_usd: null }]);
  await next.stop();
  await home.remove();
  fake.close();
});
