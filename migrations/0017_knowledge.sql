-- What the assistant may tell customers: sources, cut into chunks, found by their terms.

create extension if not exists btree_gin;

create table knowledge_source (
  id uuid primary key,
  company_id uuid not null references company,
  kind text not null check (kind in ('text', 'faq', 'file', 'page')),
  title text not null,
  url text,
  content bytea,
  file_name text,
  media_type text,
  state text not null check (state in ('waiting', 'reading', 'ready', 'failed')),
  error text,
  sha256 bytea,
  is_on boolean not null default true,
  revision integer not null default 0,
  served_revision integer,
  chunk_count integer not null default 0,
  due_at timestamptz,
  claim_id uuid,
  lease_expires_at timestamptz,
  attempt smallint not null default 0,
  fetched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on column knowledge_source.content is 'What was written, uploaded or fetched last';
comment on column knowledge_source.error is 'Why it could not be read or fetched: a fact, as JSON text';
comment on column knowledge_source.served_revision is 'The one whose chunks are found; a later one serves once it is whole';
comment on column knowledge_source.chunk_count is 'That are found: none of a source that is off';
comment on column knowledge_source.due_at is 'When it is to be read, or its page fetched again';
create index knowledge_source_due on knowledge_source (due_at) where due_at is not null;
create index knowledge_source_claimed on knowledge_source (lease_expires_at) where claim_id is not null;
create index knowledge_source_newest on knowledge_source (company_id, created_at desc, id desc);

create table knowledge_chunk (
  id uuid primary key,
  company_id uuid not null references company,
  source_id uuid not null references knowledge_source on delete cascade,
  revision integer not null,
  position integer not null,
  heading text,
  body text not null,
  terms tsvector not null
);
create index knowledge_chunk_terms on knowledge_chunk using gin (company_id, terms);
create index knowledge_chunk_source on knowledge_chunk (source_id, revision, position);

create table knowledge_term (
  company_id uuid not null references company,
  term text not null,
  root text not null,
  chunks integer not null,
  primary key (company_id, term)
);
comment on table knowledge_term is 'The terms of chunks that are found, in ASCII: trigrams see no other letters in a cluster of the locale C';
comment on column knowledge_term.root is 'What forms of one word have in common';
comment on column knowledge_term.chunks is 'In how many chunks it stands';
create index knowledge_term_root on knowledge_term (company_id, root);
create index knowledge_term_like on knowledge_term using gin (company_id, term gin_trgm_ops);

create table synonym (
  company_id uuid not null references company,
  word text not null,
  means text[] not null,
  term text not null,
  mean_terms text[] not null,
  primary key (company_id, word)
);
create index synonym_term on synonym (company_id, term);
