curl "http://127.0.0.1:8080/v1/async/images/edits/$JOB_ID" -H "Authorization: Bearer $GATEWAY_KEY"
