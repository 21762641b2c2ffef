curl http://127.0.0.1:8080/v1/embeddings \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gte-small", "input": ["The cat sat on the mat.", "A kitten rests on a rug."]}'
