import os
from voyageai import Client

client = Client(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["GATEWAY_KEY"])

response = client.multimodal_embed(model="gte-small", inputs=[["The cat sat on the mat."]])
print(len(response.embeddings[0]))
