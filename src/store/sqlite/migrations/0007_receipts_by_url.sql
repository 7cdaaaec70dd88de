-- Receipts name their URL: its number may be another URL's by the time they are delivered.
ALTER TABLE undelivered ADD COLUMN url TEXT NOT NULL DEFAULT '';

-- Of a page that is gone only the log of changes still says it.
UPDATE undelivered SET url = coalesce(
  (SELECT p.url FROM pages p WHERE p.id = undelivered.page_id),
  (SELECT c.url FROM page_changes c
    WHERE c.page_id = undelivered.page_id AND c.change = 'delete'
    ORDER BY c.cursor DESC LIMIT 1),
  '');
DELETE FROM undelivered WHERE url = '';
