import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const events = unwrap(await client.streamEvents({ limit: 1 }));
for await (const event of events) console.log(event.type);
