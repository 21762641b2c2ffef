curl http://127.0.0.1:8080/v1/content_provenance_checks \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -F file=@fox.png
