import OpenAI from "openai";

const client = new OpenAI({ baseURL: "http://127.0.0.1:8080/openai/v1", apiKey: process.env.GATEWAY_KEY });

const { data } = await client.embeddings.create({ model: "gte-small", input: "The cat sat on the mat." });
console.log(data[0].embedding.length);
