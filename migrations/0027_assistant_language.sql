-- The language of an answer where nothing tells the customer's.

alter table assistant add column language text not null default 'ar' check (language in ('ar', 'en'));
comment on column assistant.language is 'In which customers are answered whose words, conversation and contact tell no language';
