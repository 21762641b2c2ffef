curl http://127.0.0.1:8080/v1/files \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -F purpose=batch \
  -F file=@requests.jsonl
