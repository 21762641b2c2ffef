import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/probes",
    data=json.dumps({"model": "gte-small", "upstream": "local"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    probe = json.load(response)
    print(probe["ok"], probe["state"])
