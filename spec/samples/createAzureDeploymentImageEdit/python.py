import base64
import os
from openai import AzureOpenAI

client = AzureOpenAI(
    azure_endpoint="http://127.0.0.1:8080",
    api_key=os.environ["GATEWAY_KEY"],
    api_version="2024-10-21",
)

with open("fox.png", "rb") as image:
    response = client.images.edit(model="local-sketch", prompt="add a rocket", image=image)
with open("fox-with-rocket.png", "wb") as file:
    file.write(base64.b64decode(response.data[0].b64_json))
