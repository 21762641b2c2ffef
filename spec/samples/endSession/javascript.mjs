import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_SESSION });

const { ended } = unwrap(await client.endSession());
console.log(ended);
