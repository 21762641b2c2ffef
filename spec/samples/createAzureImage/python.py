import base64
import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["GATEWAY_KEY"])

response = client.images.generate(model="local-sketch", prompt="a red fox in the snow")
with open("fox.png", "wb") as file:
    file.write(base64.b64decode(response.data[0].b64_json))
