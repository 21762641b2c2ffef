import os
from cohere import ClientV2

client = ClientV2(base_url="http://127.0.0.1:8080", api_key=os.environ["GATEWAY_KEY"])

response = client.embed(
    model="gte-small",
    texts=["first text", "second text"],
    input_type="search_document",
    embedding_types=["float"],
)
print([len(vector) for vector in response.embeddings.float])
