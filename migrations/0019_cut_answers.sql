-- Whether there was more of an answer than what is kept of it is known when it is read, not afterwards.
alter table delivery_attempt
  add column answer_is_cut boolean,
  add column headers_are_cut boolean;

comment on column delivery_attempt.answer_is_cut is 'There was, or may have been, more of the body than answer_head; null without an answer, and before this column';
comment on column delivery_attempt.headers_are_cut is 'There were more headers than answer_headers; null without an answer, and before this column';
