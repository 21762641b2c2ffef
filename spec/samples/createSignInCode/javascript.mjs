import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: "http://127.0.0.1:8080", adminKey: process.env.GATEWAY_ADMIN_KEY });

const code = unwrap(await client.createSignInCode());
console.log(`http://127.0.0.1:8080/console/#code=${code.value}`);
