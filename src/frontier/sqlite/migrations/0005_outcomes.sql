-- Links that scope, globs or depth leave out: they are refused, but counted apart.
ALTER TABLE crawl ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;

UPDATE crawl SET outside = (
  SELECT count(*) FROM url
  WHERE state = 5 AND substr(reason, 1, instr(reason || ':', ':') - 1) IN ('scope', 'filter', 'depth')
);

-- Schemes under which a host ever gave an answer: bit 0 http, bit 1 https. And how long it was asked to
-- rest: no clock makes a rest longer than that.
ALTER TABLE host ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE host ADD COLUMN rest_ms INTEGER NOT NULL DEFAULT 0;
