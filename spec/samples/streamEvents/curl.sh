curl -N "http://127.0.0.1:8080/admin/v1/events?limit=1" -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"
