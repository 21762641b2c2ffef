import { Ollama } from "ollama";

const client = new Ollama({
  host: "http://127.0.0.1:8080",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
});

const { capabilities } = await client.show({ model: "gte-small" });
console.log(capabilities.join(", "));
