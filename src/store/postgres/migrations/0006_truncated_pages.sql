-- Pages that were cut, for those who count them: a few entries, where there are any.
CREATE INDEX pages_truncated ON pages (id) WHERE truncated = 1 AND duplicate_of IS NULL;
