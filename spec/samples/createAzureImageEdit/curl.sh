curl http://127.0.0.1:8080/openai/v1/images/edits \
  -H "api-key: $GATEWAY_KEY" \
  -F model=local-sketch \
  -F prompt="add a rocket" \
  -F image=@fox.png
