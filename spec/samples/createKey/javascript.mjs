import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const key = unwrap(
  await client.createKey({
    name: "search-service",
    models: ["gte-small"],
    limits: { requests_per_minute: 600 },
  }),
);
console.log(key.value);
