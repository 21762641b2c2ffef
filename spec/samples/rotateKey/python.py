import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"http://127.0.0.1:8080/admin/v1/keys/{os.environ['KEY_ID']}/secrets",
    method="POST",
    data=json.dumps({"overlap_seconds": 3600}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    print(json.load(response)["value"])
