import { VoyageAIClient } from "voyageai";

const client = new VoyageAIClient({ baseUrl: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const { data } = await client.multimodalEmbed({
  model: "gte-small",
  inputs: [{ content: [{ type: "text", text: "The cat sat on the mat." }] }],
});
console.log(data[0].embedding.length);
