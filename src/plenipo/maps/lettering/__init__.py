"""Where names, codes, units and marks stand on a map: searched for, checked, stored and read."""
