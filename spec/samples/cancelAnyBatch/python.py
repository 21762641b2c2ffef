import json
import os
from urllib.request import Request, urlopen

request = Request(
    f"http://127.0.0.1:8080/admin/v1/batches/{os.environ['BATCH_ID']}/cancel",
    method="POST",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}"},
)
with urlopen(request) as response:
    print(json.load(response)["status"])
