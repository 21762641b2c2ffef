curl http://127.0.0.1:8080/v1/engines/gte-small/embeddings \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"input": "The cat sat on the mat."}'
