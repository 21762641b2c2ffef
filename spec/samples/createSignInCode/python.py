import json
import os
from urllib.request import Request, urlopen

request = Request(
    "http://127.0.0.1:8080/admin/v1/sign-in-codes",
    method="POST",
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_ADMIN_KEY']}"},
)
with urlopen(request) as response:
    code = json.load(response)
    print(f"http://127.0.0.1:8080/console/#code={code['value']}")
