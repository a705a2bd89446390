-- Names are found whether or not their parts are written as one word.
create index contact_name_as_one on contact using gin (replace(search_name, ' ', '') gin_trgm_ops);
