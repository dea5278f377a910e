"""What the pages show, gathered from the read model into frozen views: one file a page or an idea;
no Flask and no SQL."""
