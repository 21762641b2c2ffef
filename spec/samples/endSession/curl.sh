curl -X DELETE http://127.0.0.1:8080/admin/v1/sessions/current -H "Authorization: Bearer $GATEWAY_SESSION"
