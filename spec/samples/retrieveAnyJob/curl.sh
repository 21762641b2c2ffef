curl "http://127.0.0.1:8080/admin/v1/jobs/$JOB_ID" -H "Authorization: Bearer $GATEWAY_ADMIN_KEY"
