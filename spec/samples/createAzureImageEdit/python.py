import base64
import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["GATEWAY_KEY"])

with open("fox.png", "rb") as image:
    response = client.images.edit(model="local-sketch", prompt="add a rocket", image=image)
with open("fox-with-rocket.png", "wb") as file:
    file.write(base64.b64decode(response.data[0].b64_json))
