curl http://127.0.0.1:8080/openai/v1/images/generations \
  -H "api-key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "local-sketch", "prompt": "a red fox in the snow"}'
