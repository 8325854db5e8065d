"""The reading of written names, orders and order sets, and the entry of orders one by one."""
