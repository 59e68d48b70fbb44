"""What people can choose, each choice written once."""
