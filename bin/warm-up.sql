!tables
