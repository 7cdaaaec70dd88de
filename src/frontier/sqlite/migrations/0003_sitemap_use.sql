-- What each sitemap that was read came to: a host's budget is made of these.
ALTER TABLE sitemap ADD COLUMN entries INTEGER NOT NULL DEFAULT 0;
-- Decoded.
ALTER TABLE sitemap ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
-- URLs to visit that it brought, and further sitemaps; of files read before this was counted: one.
ALTER TABLE sitemap ADD COLUMN brought INTEGER NOT NULL DEFAULT 1;
