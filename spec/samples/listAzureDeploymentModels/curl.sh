curl "http://127.0.0.1:8080/openai/models?api-version=2024-10-21" -H "api-key: $GATEWAY_KEY"
