import os
from openai import AzureOpenAI

client = AzureOpenAI(
    azure_endpoint="http://127.0.0.1:8080",
    api_key=os.environ["GATEWAY_KEY"],
    api_version="2024-10-21",
)

for model in client.models.list():
    print(model.id)
