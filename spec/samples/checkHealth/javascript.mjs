const answer = await fetch("http://127.0.0.1:8080/healthz");
console.log(answer.status, await answer.json());
