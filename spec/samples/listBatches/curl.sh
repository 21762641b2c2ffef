curl "http://127.0.0.1:8080/v1/batches?limit=20" -H "Authorization: Bearer $GATEWAY_KEY"
