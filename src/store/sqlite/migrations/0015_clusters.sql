-- The clusters of a crawl as found last; `id` counts from 0, the largest first.
CREATE TABLE clusters (
  crawl_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  -- The words that label it, as a JSON array.
  terms TEXT NOT NULL,
  size INTEGER NOT NULL,
  -- The mean score of its pages.
  cohesion REAL NOT NULL,
  PRIMARY KEY (crawl_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE page_clusters (
  crawl_id INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  cluster INTEGER NOT NULL,
  -- The cosine of the page and the centre of its cluster, 0 to 1.
  score REAL NOT NULL,
  -- The page's own words of most weight, as a JSON array.
  terms TEXT NOT NULL,
  PRIMARY KEY (crawl_id, page_id)
) STRICT, WITHOUT ROWID;
