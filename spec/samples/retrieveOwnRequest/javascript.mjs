import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.GATEWAY_KEY });

const request = unwrap(await client.retrieveOwnRequest(process.env.REQUEST_ID));
console.log(request.model, request.status);
