import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/v1/engines/gte-small/embeddings",
    data=json.dumps({"input": "The cat sat on the mat."}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    print(len(json.load(response)["data"][0]["embedding"]))
