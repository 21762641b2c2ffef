import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/sessions/current",
    method="DELETE",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_SESSION']}"},
)
with urlopen(request) as response:
    print(json.load(response)["ended"])
