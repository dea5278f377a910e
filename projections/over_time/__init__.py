"""What changed between moments, and which days a page changed on."""
