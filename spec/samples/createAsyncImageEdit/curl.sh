curl http://127.0.0.1:8080/v1/async/images/edits \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -F model=local-sketch \
  -F prompt="add a rocket" \
  -F image=@fox.png
