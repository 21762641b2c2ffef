import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const change = { limits: { requests_per_minute: 1200 }, models: null };
const key = unwrap(await client.changeKey(process.env.KEY_ID, change));
console.log(key.limits.requests_per_minute, key.models);
