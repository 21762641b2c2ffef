import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { data, next_cursor } = unwrap(await client.listKeys({ limit: 20 }));
for (const key of data) console.log(key.name, key.status);
if (next_cursor) console.log(unwrap(await client.listKeys({ limit: 20, cursor: next_cursor })).data.length);
