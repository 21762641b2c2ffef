import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/events?limit=1",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}"},
)
with urlopen(request) as response:
    for line in response:
        if line.startswith(b"data: "):
            print(json.loads(line[6:])["type"])
