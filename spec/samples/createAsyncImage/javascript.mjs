const response = await fetch("http://127.0.0.1:8080/v1/async/images/generations", {
  method: "POST",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}`, "content-type": "application/json" },
  body: JSON.stringify({ model: "local-sketch", prompt: "a red fox in the snow" }),
});
const job = await response.json();
console.log(response.status, job.status);
