-- The clusters of a crawl as found last; `id` counts from 0, the largest first.
CREATE TABLE clusters (
  crawl_id bigint NOT NULL,
  id bigint NOT NULL,
  -- The words that label it, as a JSON array.
  terms text NOT NULL,
  size bigint NOT NULL,
  -- The mean score of its pages.
  cohesion double precision NOT NULL,
  PRIMARY KEY (crawl_id, id)
);

CREATE TABLE page_clusters (
  crawl_id bigint NOT NULL,
  page_id bigint NOT NULL,
  cluster bigint NOT NULL,
  -- The cosine of the page and the centre of its cluster, 0 to 1.
  score double precision NOT NULL,
  -- The page's own words of most weight, as a JSON array.
  terms text NOT NULL,
  PRIMARY KEY (crawl_id, page_id)
);
