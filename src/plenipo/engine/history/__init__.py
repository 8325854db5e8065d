"""Games and what comes with a history: records, what one may see, what would have changed it."""
