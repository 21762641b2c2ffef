/** A user's CommonJS program. */
const { createClient, unwrap } = require("@model-gateway/client");

const client = createClient({ baseUrl: process.env.GATEWAY_URL, apiKey: process.env.GATEWAY_KEY });

client.listModels().then((result) => console.log(unwrap(result).data[0].id));
