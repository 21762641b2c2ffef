import json
import os
from urllib.request import Request, urlopen

boundary = "a-boundary-that-no-image-has"
head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="fox.png"\r\n\r\n'
with open("fox.png", "rb") as file:
    body = head.encode() + file.read() + f"\r\n--{boundary}--\r\n".encode()

request = Request(
    "http://127.0.0.1:8080/v1/content_provenance_checks",
    data=body,
    headers={
        "Authorization": f"Bearer {os.environ['GATEWAY_KEY']}",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    },
)
with urlopen(request) as response:
    for result in json.load(response)["results"]:
        print(result["type"], result["outcome"])
