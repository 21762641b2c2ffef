curl "http://127.0.0.1:8080/v1/jobs/$JOB_ID" -H "Authorization: Bearer $GATEWAY_KEY" -H "Prefer: wait=30"
