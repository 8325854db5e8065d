"""Reading what people write: names, orders and sheets of orders, and entering them one by one."""
