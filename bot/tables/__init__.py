"""Tables: matches with the people around them, in step with the store; what people and servers have set."""
