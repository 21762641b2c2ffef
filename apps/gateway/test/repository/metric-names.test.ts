import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startGateway } from "../gateway/in-process.js";

const guide = readFileSync(new URL("../../../docs/guides/monitoring.md", import.meta.url), "utf8");

test("the guide lists the metrics that there are, with their types, and no others", async () => {
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1", apiKey: sk-test } }
models: { small: { type: embedding, targets: [{ upstream: fake, model: small }] } }
`);
  const { text } = await gateway.app.metrics.render();
  await gateway.stop();

  const documented = [...guide.matchAll(/^\| `(gateway_\w+)`\s+\| (\w+)/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  const there = [...text.matchAll(/^# TYPE (gateway_\w+ \w+)$/gm)].map(([, one]) => one);

  expect(documented.sort()).toEqual(there.sort());
});
