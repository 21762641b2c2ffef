import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const key = unwrap(await client.rotateKey(process.env.KEY_ID, { overlap_seconds: 3600 }));
console.log(key.value);
