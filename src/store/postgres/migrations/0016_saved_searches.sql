-- Searches that somebody saved under a name. `request`: their parameters, as JSON. `seen`: the change up to which
-- somebody asked what is new, `seen_at` when that was.
CREATE TABLE saved_searches (
  name text COLLATE "C" PRIMARY KEY,
  request text NOT NULL,
  saved_at bigint NOT NULL,
  seen bigint NOT NULL,
  seen_at bigint
);
