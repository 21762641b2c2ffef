curl "http://127.0.0.1:8080/v1/files/$FILE_ID/content" -H "Authorization: Bearer $GATEWAY_KEY"
