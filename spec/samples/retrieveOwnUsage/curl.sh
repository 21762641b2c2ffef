curl "http://127.0.0.1:8080/v1/key/usage?group_by=model" -H "Authorization: Bearer $GATEWAY_KEY"
