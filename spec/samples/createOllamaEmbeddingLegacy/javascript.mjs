import { Ollama } from "ollama";

const client = new Ollama({
  host: "http://127.0.0.1:8080",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
});

const { embedding } = await client.embeddings({ model: "gte-small", prompt: "The cat sat on the mat." });
console.log(embedding.length);
