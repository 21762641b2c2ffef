import { Ollama } from "ollama";

const client = new Ollama({
  host: "http://127.0.0.1:8080",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
});

const { models } = await client.ps();
for (const { name } of models) console.log(name);
