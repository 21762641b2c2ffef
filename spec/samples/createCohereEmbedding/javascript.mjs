import { CohereClientV2 } from "cohere-ai";

const client = new CohereClientV2({ baseUrl: "http://127.0.0.1:8080", token: process.env.GATEWAY_KEY });

const { embeddings } = await client.embed({
  model: "gte-small",
  texts: ["first text", "second text"],
  inputType: "search_document",
  embeddingTypes: ["float"],
});
console.log(embeddings.float.map((vector) => vector.length));
