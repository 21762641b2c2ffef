const response = await fetch("http://127.0.0.1:8080/v1/engines/gte-small/embeddings", {
  method: "POST",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}`, "content-type": "application/json" },
  body: JSON.stringify({ input: "The cat sat on the mat." }),
});
const { data } = await response.json();
console.log(data[0].embedding.length);
