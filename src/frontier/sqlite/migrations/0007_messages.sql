-- Messages between the partitions of a crawl: the number of the last one taken from each sender, and of the
-- last one sent to each receiver. A frontier in a file of its own has neither.

CREATE TABLE taken (
  from_partition INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sent (
  to_partition INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
