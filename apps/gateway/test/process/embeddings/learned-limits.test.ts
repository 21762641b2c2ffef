import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import {
  type StrictServer,
  startStrictServer,
  strictRoute,
} from "../../in-process/providers/strict-server.js";

/** An upstream that takes two inputs a call, and says so only when it refuses. */
let upstream: StrictServer;
let folder: GatewayFolder;
let gateway: BuiltGateway;

beforeAll(async () => {
  upstream = await startStrictServer({
    authenticate: () => undefined,
    refuse: ({ message }) => ({ status: 400, body: { error: { message } } }),
    routes: {
      "POST /v1/embeddings": strictRoute({
        body: z.strictObject({ model: z.literal("m"), input: z.array(z.string()) }),
        reply: ({ input }) =>
          input.length > 2
            ? { status: 422, body: { error: `batch size ${input.length} > maximum allowed batch size 2` } }
            : {
                body: {
                  data: input.map((_text, index) => ({ index, embedding: [1, 0] })),
                  usage: { total_tokens: 4 },
                },
              },
      }),
    },
  });
  folder = new GatewayFolder(configOf("before"));
  gateway = await folder.start();
});
afterAll(async () => {
  await folder.remove();
  upstream.close();
});

test("a learned batch limit survives a reload of the configuration", async () => {
  const sizes = async (letter: string): Promise<number[]> => {
    upstream.bodies.length = 0;
    const input = Array.from({ length: 4 }, (_, index) => `${letter}${index}`);
    const response = await gateway.sendJson("/v1/embeddings", { model: "m", input });
    expect(response.status).toBe(200);
    return upstream.bodies.map((body) => (body as { input: string[] }).input.length);
  };

  expect(await sizes("a")).toEqual([4, 2, 2]);
  folder.configure(configOf("after"));
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.stdout).toContain("The configuration was reloaded.");

  expect(await sizes("b")).toEqual([2, 2]);
});

function configOf(description: string): string {
  return `keys: [{ name: test, key: ${testKey} }]
upstreams: { one: { provider: openai-compatible, baseUrl: "${upstream.origin}/v1" } }
models:
  m: { type: embedding, description: ${description}, targets: [{ upstream: one, model: m }] }
`;
}
