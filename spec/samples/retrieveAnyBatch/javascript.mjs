import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const batch = unwrap(await client.retrieveAnyBatch(process.env.BATCH_ID));
console.log(batch.key_name, batch.status);
