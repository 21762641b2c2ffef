curl -X POST "http://127.0.0.1:8080/v1/batches/$BATCH_ID/cancel" -H "Authorization: Bearer $GATEWAY_KEY"
