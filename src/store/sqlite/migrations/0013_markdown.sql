-- The main content as Markdown, of crawls that keep it.
ALTER TABLE pages ADD COLUMN markdown TEXT NOT NULL DEFAULT '';
