import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/keys",
    data=json.dumps(
        {
            "name": "search-service",
            "models": ["gte-small"],
            "limits": {"requests_per_minute": 600},
        }
    ).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    print(json.load(response)["value"])
