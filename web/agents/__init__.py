"""The tools for agents, over the Model Context Protocol: what pages say, and one way to report."""
