"""What people would use instead, fed with the same boards and asked the same question."""
