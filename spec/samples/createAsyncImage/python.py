import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/v1/async/images/generations",
    data=json.dumps({"model": "local-sketch", "prompt": "a red fox in the snow"}).encode(),
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}", "Content-Type": "application/json"},
)
with urlopen(request) as response:
    print(response.status, json.load(response)["status"])
