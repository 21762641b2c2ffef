import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["GATEWAY_KEY"])

response = client.embeddings.create(model="gte-small", input="The cat sat on the mat.")
print(len(response.data[0].embedding))
