import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["GATEWAY_KEY"])

for model in client.models.list():
    print(model.id)
