curl http://127.0.0.1:8080/metrics -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"
