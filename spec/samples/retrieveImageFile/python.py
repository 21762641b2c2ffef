import os
from urllib.request import urlretrieve
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["GATEWAY_KEY"])

response = client.images.generate(model="local-sketch", prompt="a red fox", response_format="url")
urlretrieve(response.data[0].url, "fox.png")
