curl http://127.0.0.1:8080/v1/async/images/generations \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "local-sketch", "prompt": "a red fox in the snow"}'
