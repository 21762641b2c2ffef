import base64
import os
from openai import AzureOpenAI

client = AzureOpenAI(
    azure_endpoint="http://127.0.0.1:8080",
    api_key=os.environ["GATEWAY_KEY"],
    api_version="2024-10-21",
)

response = client.images.generate(model="local-sketch", prompt="a red fox in the snow")
with open("fox.png", "wb") as file:
    file.write(base64.b64decode(response.data[0].b64_json))
