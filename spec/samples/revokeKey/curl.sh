curl -X DELETE "http://127.0.0.1:8080/admin/v1/keys/$KEY_ID" -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"
