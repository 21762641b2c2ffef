import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

for await (const batch of client.batches.list({ limit: 20 })) console.log(batch.id, batch.status);
