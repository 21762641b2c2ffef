import base64
import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"http://127.0.0.1:8080/v1/jobs/{os.environ['JOB_ID']}",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}", "Prefer": "wait=30"},
)
with urlopen(request) as response:
    job = json.load(response)
print(job["status"])
if job["status"] == "completed":
    with open("fox.png", "wb") as file:
        file.write(base64.b64decode(job["response"]["data"][0]["b64_json"]))
