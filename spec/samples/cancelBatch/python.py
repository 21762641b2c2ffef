import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["GATEWAY_KEY"])

batch = client.batches.cancel(os.environ["BATCH_ID"])
print(batch.status)
