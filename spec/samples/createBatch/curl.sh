curl http://127.0.0.1:8080/v1/batches \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d "{\"input_file_id\": \"$FILE_ID\", \"endpoint\": \"/v1/embeddings\", \"completion_window\": \"24h\"}"
