-- Fields of pages, of crawls that have rules for them: a JSON array of [name, value], or [name, values, 1].
ALTER TABLE page_parts ADD COLUMN fields TEXT;

-- A row for each value. `position`: from 0, among the values of the field. `number`: of values that are numbers.
CREATE VIEW page_fields (page_id, name, position, value, number) AS
SELECT p.page_id, f.value ->> 0, v.key,
  CASE v.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(v.value AS TEXT) END,
  CASE WHEN v.type IN ('integer', 'real') THEN CAST(v.value AS REAL) END
FROM page_parts p, json_each(p.fields) f,
  json_each(CASE WHEN f.value ->> 2 = 1 THEN f.value -> 1 ELSE json_array(f.value -> 1) END) v;
