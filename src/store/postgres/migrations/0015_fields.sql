-- Fields of pages, of crawls that have rules for them: a JSON array of [name, value], or [name, values, 1].
ALTER TABLE page_parts ADD COLUMN fields text;
DO $$
BEGIN
  ALTER TABLE page_parts ALTER COLUMN fields SET COMPRESSION lz4;
EXCEPTION
  -- The server was built without it.
  WHEN OTHERS THEN NULL;
END
$$;

-- A row for each value. `position`: from 0, among the values of the field. `number`: of values that are numbers.
CREATE VIEW page_fields (page_id, name, position, value, number) AS
SELECT page_id, field ->> 0, nth - 1, part.value #>> '{}',
  CASE json_typeof(part.value) WHEN 'number' THEN (part.value #>> '{}')::double precision END
FROM page_parts, json_array_elements(fields::json) AS field,
  json_array_elements(CASE WHEN field ->> 2 = '1' THEN field -> 1 ELSE json_build_array(field -> 1) END)
    WITH ORDINALITY AS part (value, nth);
