from urllib.request import urlopen

with urlopen("http://127.0.0.1:8080/readyz") as response:
    print(response.status, response.read().decode())
