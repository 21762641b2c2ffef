curl http://127.0.0.1:8080/openai/v1/embeddings \
  -H "api-key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gte-small", "input": "The cat sat on the mat."}'
