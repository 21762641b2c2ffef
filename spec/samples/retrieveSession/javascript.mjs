import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_SESSION });

const { kind, models } = unwrap(await client.retrieveSession());
console.log(kind, models.length);
