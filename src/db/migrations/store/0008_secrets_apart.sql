-- Passwords of proxies and what webhooks are called with leave the store: src/db/move-secrets.ts takes them
-- to secrets.db, as part of this step. What webhooks a job has is no longer read from here.
UPDATE crawl_orders SET webhook = NULL WHERE webhook = 'null';
