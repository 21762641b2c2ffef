curl http://127.0.0.1:8080/v2/embed \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gte-small", "texts": ["first text", "second text"], "input_type": "search_document", "embedding_types": ["float"]}'
