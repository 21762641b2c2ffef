curl "http://127.0.0.1:8080/admin/v1/batches/$BATCH_ID" -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"
