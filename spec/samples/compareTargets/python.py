import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/space-comparisons",
    data=json.dumps({"model": "gte-small"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    comparison = json.load(response)
    print(comparison["verdict"], len(comparison["targets"]))
