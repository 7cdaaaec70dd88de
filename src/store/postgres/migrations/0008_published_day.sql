-- The day a page was published, as the page writes it in its own time zone: `published_at` may be on
-- another day in UTC. It is a part of `about`; pages from before that have the day of `published_at`.
-- Written with `extract`, because a date as text is not immutable.
ALTER TABLE pages ADD COLUMN published_day text COLLATE "C" GENERATED ALWAYS AS (
  CASE WHEN published_at IS NOT NULL THEN coalesce(
    substring(about FROM '^\{"published_day":"(\d{4}-\d\d-\d\d)"'),
    lpad(extract(year FROM timestamp '1970-01-01' + published_at * interval '1 millisecond')::integer::text, 4, '0')
      || '-'
      || lpad(extract(month FROM timestamp '1970-01-01' + published_at * interval '1 millisecond')::integer::text, 2, '0')
      || '-'
      || lpad(extract(day FROM timestamp '1970-01-01' + published_at * interval '1 millisecond')::integer::text, 2, '0')
  ) END
) STORED;
