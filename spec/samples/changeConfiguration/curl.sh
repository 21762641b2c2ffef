curl http://127.0.0.1:8080/admin/v1/configuration/changes \
  -H "Authorization: Bearer $GATEWAY_ADMIN_KEY" \
  -H "Content-Type: application/json" \
  -d '{"dry_run": true, "models": {"all-MiniLM-L6-v2": null}}'
