"""Games with their history: records, views, and the changes that would have altered an outcome."""
