import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { diff } = unwrap(
  await client.changeConfiguration({ dry_run: true, models: { "all-MiniLM-L6-v2": null } }),
);
console.log(diff);
