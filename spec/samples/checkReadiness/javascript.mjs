const answer = await fetch("http://127.0.0.1:8080/readyz");
console.log(answer.status, await answer.json());
