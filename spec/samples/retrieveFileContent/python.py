import json
import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=os.environ["GATEWAY_KEY"])

content = client.files.content(os.environ["FILE_ID"])
for line in content.text.splitlines():
    print(json.loads(line)["custom_id"])
