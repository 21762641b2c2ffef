import os
from ollama import Client

client = Client(
    host="http://127.0.0.1:8080",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}"},
)

print(", ".join(client.show("gte-small").capabilities))
