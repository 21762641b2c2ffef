/** A CommonJS program in TypeScript. */
import client = require("@model-gateway/client");

void client.createClient({ baseUrl: "http://127.0.0.1:8080" }).listModels();
// @ts-expect-error The client needs the URL of the gateway.
client.createClient({ apiKey: "key" });
