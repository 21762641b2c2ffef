import os
from ollama import Client

client = Client(
    host="http://127.0.0.1:8080",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}"},
)

response = client.embeddings(model="gte-small", prompt="The cat sat on the mat.")
print(len(response.embedding))
