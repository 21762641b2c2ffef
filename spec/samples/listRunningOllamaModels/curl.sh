curl http://127.0.0.1:8080/api/ps -H "Authorization: Bearer $GATEWAY_KEY"
