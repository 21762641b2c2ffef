const response = await fetch(`http://127.0.0.1:8080/v1/async/images/generations/${process.env.JOB_ID}`, {
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
});
const job = await response.json();
console.log(response.status, job.status);
