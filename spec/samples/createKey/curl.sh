curl http://127.0.0.1:8080/admin/v1/keys \
  -H "Authorization: Bearer $GATEWAY_ADMIN_KEY" \
  -H "Content-Type: application/json" \
  -d '{"name": "search-service", "models": ["gte-small"], "limits": {"requests_per_minute": 600}}'
