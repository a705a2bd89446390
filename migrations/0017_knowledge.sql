-- The knowledge of the assistant: sources, cut into chunks that are found by their terms.

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
comment on column knowledge_source.content is 'The text that was last written, uploaded or fetched';
comment on column knowledge_source.error is 'The reason why the source could not be read or fetched: a fact, as JSON text';
comment on column knowledge_source.served_revision is 'The revision whose chunks are searched; a newer one is searched once it is complete';
comment on column knowledge_source.chunk_count is 'The number of searched chunks: 0 while the source is off';
comment on column knowledge_source.due_at is 'The time when the source is read, or its page fetched again';
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
comment on table knowledge_term is 'The terms of searched chunks, in ASCII: in a cluster of the locale C trigrams ignore all other letters';
comment on column knowledge_term.root is 'The common root of the forms of one word';
comment on column knowledge_term.chunks is 'The number of chunks that contain the term';
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
