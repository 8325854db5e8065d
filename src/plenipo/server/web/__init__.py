"""The web: a JSON interface described by OpenAPI, pages, pictures and events, all made of what the host shows."""
