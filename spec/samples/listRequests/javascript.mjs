import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const { data } = unwrap(await client.listRequests({ status: 429, limit: 20 }));
for (const request of data) console.log(request.id, request.key_name, request.error_code);
