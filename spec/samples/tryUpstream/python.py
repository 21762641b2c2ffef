import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/upstream-trials",
    data=json.dumps({"upstream": {"provider": "local"}, "model": {"type": "embedding", "name": "gte-small"}}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    trial = json.load(response)
    print(trial["ok"], trial["dimensions"])
