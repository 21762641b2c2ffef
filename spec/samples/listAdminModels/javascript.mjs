import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { data } = unwrap(await client.listAdminModels());
for (const model of data) console.log(model.id, model.strategy, model.targets.length);
