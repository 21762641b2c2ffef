import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"http://127.0.0.1:8080/admin/v1/keys/{os.environ['KEY_ID']}",
    method="PATCH",
    data=json.dumps({"limits": {"requests_per_minute": 1200}, "models": None}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    print(json.load(response)["limits"])
