curl http://127.0.0.1:8080/openai/v1/models -H "api-key: $GATEWAY_KEY"
