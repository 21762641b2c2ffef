import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.GATEWAY_KEY });

const key = unwrap(await client.retrieveOwnKey());
console.log(key.name, key.limits.requests_per_minute);
