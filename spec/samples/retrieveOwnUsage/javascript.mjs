import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.GATEWAY_KEY });

const { data } = unwrap(await client.retrieveOwnUsage({ group_by: ["model"] }));
for (const group of data) console.log(group.model, group.requests);
