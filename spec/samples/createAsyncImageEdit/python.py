import base64
import json
import os
from urllib.request import Request, urlopen

with open("fox.png", "rb") as file:
    image = base64.b64encode(file.read()).decode()
body = {
    "model": "local-sketch",
    "prompt": "add a rocket",
    "images": [{"image_url": f"data:image/png;base64,{image}"}],
}
request = Request(
    "http://127.0.0.1:8080/v1/async/images/edits",
    data=json.dumps(body).encode(),
    headers={"Authorization": f"Bearer {os.environ['GATEWAY_KEY']}", "Content-Type": "application/json"},
)
with urlopen(request) as response:
    print(response.status, json.load(response)["status"])
