-- The main content as Markdown, of crawls that keep it.
ALTER TABLE pages ADD COLUMN markdown text NOT NULL DEFAULT '';
DO $$
BEGIN
  ALTER TABLE pages ALTER COLUMN markdown SET COMPRESSION lz4;
EXCEPTION
  -- The server was built without it.
  WHEN OTHERS THEN NULL;
END
$$;
