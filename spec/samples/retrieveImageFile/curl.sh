url=$(curl -s http://127.0.0.1:8080/v1/images/generations \
  -H "Authorization: Bearer $GATEWAY_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "local-sketch", "prompt": "a red fox", "response_format": "url"}' \
  | node -p 'JSON.parse(fs.readFileSync(0)).data[0].url')
curl "$url" --output fox.png
