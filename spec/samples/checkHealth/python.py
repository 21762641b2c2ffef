from urllib.request import urlopen

with urlopen("http://127.0.0.1:8080/healthz") as response:
    print(response.status, response.read().decode())
