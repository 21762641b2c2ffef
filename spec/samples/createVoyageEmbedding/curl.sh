curl http://127.0.0.1:8080/v1/multimodalembeddings \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gte-small", "inputs": [{"content": [{"type": "text", "text": "The cat sat on the mat."}]}]}'
