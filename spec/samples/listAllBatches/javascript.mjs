import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { data } = unwrap(await client.listAllBatches({ limit: 20 }));
for (const batch of data) console.log(batch.key_name, batch.status);
