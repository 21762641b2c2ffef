curl "http://127.0.0.1:8080/v1/batches/$BATCH_ID" -H "Authorization: Bearer $GATEWAY_KEY"
