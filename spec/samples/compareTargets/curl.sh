curl http://127.0.0.1:8080/admin/v1/space-comparisons \
  -H "Authorization: Bearer $GATEWAY_ADMIN_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "gte-small"}'
