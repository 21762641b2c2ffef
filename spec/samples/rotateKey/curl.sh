curl -X POST "http://127.0.0.1:8080/admin/v1/keys/$KEY_ID/secrets" \
  -H "Authorization: Bearer $GATEWAY_ADMIN_KEY" \
  -H "Content-Type: application/json" \
  -d '{"overlap_seconds": 3600}'
