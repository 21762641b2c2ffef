import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"http://127.0.0.1:8080/v1/async/images/generations/{os.environ['JOB_ID']}",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}"},
)
with urlopen(request) as response:
    print(response.status, json.load(response)["status"])
