import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["GATEWAY_KEY"])

batch = client.batches.create(
    input_file_id=os.environ["FILE_ID"],
    endpoint="/v1/embeddings",
    completion_window="24h",
)
print(batch.status)
