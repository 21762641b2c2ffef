import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/v1", apiKey: process.env.GATEWAY_KEY });

const batch = await client.batches.create({
  input_file_id: process.env.FILE_ID,
  endpoint: "/v1/embeddings",
  completion_window: "24h",
});
console.log(batch.status);
