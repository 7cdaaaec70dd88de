-- Passwords of proxies, and what webhooks are called with, have left the store: before this step
-- src/db/move-secrets.ts took them to secrets.db.
ALTER TABLE crawl_orders DROP COLUMN webhook;
