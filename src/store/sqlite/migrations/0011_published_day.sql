-- The day a page was published, as the page writes it in its own time zone: `published_at` may be on
-- another day in UTC. It is a part of `about`; pages from before that have the day of `published_at`.
-- Computed when read, so that a large store needs no rewriting.
ALTER TABLE pages ADD COLUMN published_day TEXT GENERATED ALWAYS AS (
  CASE WHEN published_at IS NOT NULL THEN coalesce(
    CASE WHEN json_valid(about) THEN json_extract(about, '$.published_day') END,
    date(published_at / 1000.0, 'unixepoch')
  ) END
) VIRTUAL;
