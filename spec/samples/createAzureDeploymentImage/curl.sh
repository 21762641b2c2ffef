curl "http://127.0.0.1:8080/openai/deployments/local-sketch/images/generations?api-version=2024-10-21" \
  -H "api-key: $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"prompt": "a red fox in the snow"}'
