import { readFile } from "node:fs/promises";

const form = new FormData();
form.set("model", "local-sketch");
form.set("prompt", "add a rocket");
form.set("image", new Blob([await readFile("fox.png")]), "fox.png");
const response = await fetch("http://127.0.0.1:8080/v1/async/images/edits", {
  method: "POST",
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
  body: form,
});
const job = await response.json();
console.log(response.status, job.status);
