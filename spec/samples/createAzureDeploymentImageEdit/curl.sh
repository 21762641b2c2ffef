curl "http://127.0.0.1:8080/openai/deployments/local-sketch/images/edits?api-version=2024-10-21" \
  -H "api-key: $GATEWAY_KEY" \
  -F prompt="add a rocket" \
  -F image=@fox.png
