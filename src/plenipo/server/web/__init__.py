"""The web: a JSON interface described by OpenAPI, pages, pictures and events."""
