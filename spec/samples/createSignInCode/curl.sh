curl -X POST http://127.0.0.1:8080/admin/v1/sign-in-codes -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"
