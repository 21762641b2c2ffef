import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const batch = await client.batches.cancel(process.env.BATCH_ID);
console.log(batch.status);
