import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { ok, dimensions } = unwrap(
  await client.tryUpstream({
    upstream: { provider: "local" },
    model: { type: "embedding", name: "gte-small" },
  }),
);
console.log(ok, dimensions);
