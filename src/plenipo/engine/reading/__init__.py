"""Reading what people write: names, orders and order sets, and entering them one by one."""
