"""Games and what comes with a history: records, chance, what one may see, what would have changed it."""
