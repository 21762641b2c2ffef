import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { verdict, targets } = unwrap(await client.compareTargets({ model: "gte-small" }));
console.log(verdict, targets.length);
