import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/sessions/current",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_SESSION']}"},
)
with urlopen(request) as response:
    session = json.load(response)
    print(session["kind"], len(session["models"]))
