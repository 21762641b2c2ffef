import type { Schemas } from "@model-gateway/domain/operations";
import { afterAll, beforeAll, expect } from "vitest";
import { type ModelServer, startModelServer, width } from "../../servers/model-server.js";
import { adminGateway, otherCallersCases, storageFaultCase } from "./admin-gateway.js";
import { contract, saysError } from "./contract.js";

/** Two upstreams that are declared to have one model, which they have not. */
let servers: readonly ModelServer[];
beforeAll(async () => {
  servers = await Promise.all([startModelServer("v1"), startModelServer("v2")]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));
const context = adminGateway((yaml) => {
  const [one, two] = servers.map(({ baseUrl }) => `{ provider: openai-compatible, baseUrl: "${baseUrl}" }`);
  return `${yaml.replace("upstreams:", `upstreams:\n  one: ${one}\n  two: ${two}`)}
  both: { type: embedding, dimensions: ${width}, targets: [{ upstream: one, model: old }, { upstream: two, model: new, space: old@${width} }, { upstream: two, model: newer, space: old@${width} }] }
drift: { every: 7d, action: exclude }
`;
});
const path = "/admin/v1/space-revisions";
const post = (json: unknown) => () => context.send(path, { method: "POST", json });
const changed = { model: "both", upstream: "two", target_model: "new" };

async function list<K extends "UpstreamList" | "AdminModelList">(url: string): Promise<Schemas[K]> {
  return (await (await context.send(url)).json()) as Schemas[K];
}

async function driftedTargets(): Promise<string[]> {
  const { data } = await list<"UpstreamList">("/admin/v1/upstreams");
  return data.flatMap(({ targets }) =>
    targets.flatMap(({ model, state }) => (state === "drifted" ? [model] : [])),
  );
}

async function spaceOfModel(): Promise<Schemas["VectorSpace"]> {
  const { data } = await list<"AdminModelList">("/admin/v1/models");
  return data.find(({ id }) => id === "both")?.space as Schemas["VectorSpace"];
}

/** The gateway's reports around the acceptance. */
let seen: { before: Schemas["VectorSpace"]; after: Schemas["VectorSpace"]; drifted: string[] };

contract("acceptSpace", {
  200: [
    {
      name: "a target that has drifted: the others have then",
      send: async () => {
        await expect.poll(driftedTargets, { timeout: 120_000 }).toEqual(["new", "newer"]);
        const before = await spaceOfModel();
        const response = await post(changed)();
        seen = { before, after: await spaceOfModel(), drifted: await driftedTargets() };
        return response;
      },
      expect: (body) => {
        expect(body).toEqual({
          object: "space.revision",
          models: ["both"],
          previous_id: seen.before.id,
          space: {
            id: expect.any(String),
            name: `old@${width}`,
            revision: "accepted-1",
            unit_vectors: false,
          },
        });
        expect(seen.after).toEqual(body.space);
        expect(seen.after.id).not.toBe(seen.before.id);
        expect(seen.drifted).toEqual(["old"]);
      },
    },
  ],
  400: [
    {
      name: "no upstream",
      send: post({ model: "both" }),
      expect: saysError("missing_required_parameter", "upstream"),
    },
    {
      name: "an upstream that does not serve the model",
      send: post({ model: "both", upstream: "distant" }),
      expect: saysError("invalid_value", "upstream"),
    },
    {
      name: "one of two names, without saying which",
      send: post({ model: "both", upstream: "two" }),
      expect: saysError("missing_required_parameter", "target_model"),
    },
    {
      name: "a model of images",
      send: post({ model: "far", upstream: "local" }),
      expect: saysError("invalid_value", "model"),
    },
    {
      name: "a misspelt field",
      send: post({ ...changed, force: true }),
      expect: saysError("unknown_parameter", "force"),
    },
  ],
  404: [
    {
      name: "a model that is not there",
      send: post({ model: "nowhere", upstream: "local" }),
      expect: saysError("model_not_found", "model"),
    },
  ],
  409: [
    {
      name: "a target that has not drifted",
      send: async () => {
        await expect.poll(driftedTargets, { timeout: 120_000 }).not.toEqual([]);
        const isAccepted = (await driftedTargets()).includes("old");
        return isAccepted ? post(changed)() : post({ model: "both", upstream: "one" })();
      },
      expect: saysError("space_not_drifted"),
    },
    {
      name: "a target that could not be checked",
      send: post({ model: "gone", upstream: "local" }),
      expect: saysError("space_not_drifted"),
    },
  ],
  413: [
    {
      name: "a body that no operator would write",
      send: post({ model: "a".repeat(70_000), upstream: "local" }),
      expect: saysError("content_too_large"),
    },
  ],
  415: [
    {
      name: "a form",
      send: () =>
        context.send(path, {
          method: "POST",
          body: "model=both",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      expect: saysError("unsupported_content_type"),
    },
  ],
  ...withStorageFaults(otherCallersCases(context, path, { method: "POST", json: changed })),
});

function withStorageFaults(cases: ReturnType<typeof otherCallersCases>): typeof cases {
  return {
    ...cases,
    500: [...cases[500], storageFaultCase(context, "faulty", post(changed))],
    503: [...cases[503], storageFaultCase(context, "unavailable", post(changed))],
  };
}
