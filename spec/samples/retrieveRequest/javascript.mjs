import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const request = unwrap(await client.retrieveRequest(process.env.REQUEST_ID));
console.log(request.model, request.status, request.duration_ms);
