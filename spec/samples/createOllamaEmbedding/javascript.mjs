import { Ollama } from "ollama";

const client = new Ollama({
  host: "http://127.0.0.1:8080",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
});

const { embeddings } = await client.embed({ model: "gte-small", input: ["first text", "second text"] });
console.log(embeddings.map((vector) => vector.length));
