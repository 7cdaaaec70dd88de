-- What rounds tell of pages that they did not look at, and of those that are gone.

-- Pages it left alone because they were not due; counted when it begins.
ALTER TABLE crawl_rounds ADD COLUMN not_due INTEGER NOT NULL DEFAULT 0;

-- Which page a URL once had.
CREATE INDEX page_changes_gone ON page_changes (url) WHERE change = 'delete';
