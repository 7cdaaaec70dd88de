-- All that is secret about a job is in `crawl_secrets`, which readers may be kept from. Passwords of crawls of
-- the command line are given again with every run, so they are not kept.
ALTER TABLE crawl_secrets ALTER COLUMN proxies DROP NOT NULL;
-- JSON: where to tell what becomes of the job, and the secret that signs it; NULL: nowhere.
ALTER TABLE crawl_secrets ADD COLUMN webhook text;

DELETE FROM crawl_secrets WHERE crawl_id IN (SELECT id FROM crawls WHERE origin = 'cli');

INSERT INTO crawl_secrets (crawl_id, webhook)
SELECT crawl_id, webhook FROM crawl_orders WHERE webhook IS NOT NULL
ON CONFLICT (crawl_id) DO UPDATE SET webhook = excluded.webhook;

ALTER TABLE crawl_orders DROP COLUMN webhook;
