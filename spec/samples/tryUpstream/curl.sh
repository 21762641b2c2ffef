curl http://127.0.0.1:8080/admin/v1/upstream-trials \
  -H "Authorization: Bearer $GATEWAY_ADMIN_KEY" \
  -H "Content-Type: application/json" \
  -d '{"upstream": {"provider": "local"}, "model": {"type": "embedding", "name": "gte-small"}}'
