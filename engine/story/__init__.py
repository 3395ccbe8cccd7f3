"""The story of a match that is over: the chances of winning all along, where they turned, and who played how well."""
