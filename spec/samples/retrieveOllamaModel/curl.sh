curl http://127.0.0.1:8080/api/show \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gte-small"}'
