alter table model add column thinking text not null default 'off' check (thinking in ('off', 'on'));
comment on column model.thinking is 'Whether it may reason before it answers';
alter table model add column thinking_switch text
  check (thinking_switch in ('reasoning_effort', 'thinking_type', 'enable_thinking'));
comment on column model.thinking_switch is
  'By which member of a request its server answers without reasoning, as the test question found out; null: none is sent';
alter table model add column reasons_anyway boolean not null default false;
comment on column model.reasons_anyway is 'It reasoned over the test question although it was asked not to';

alter table assistant_reply add column carried text;
comment on column assistant_reply.carried is
  'What models want back within this reply''s use of tools, by the steps that asked them, encrypted. A change of keys does not encrypt it anew: it is null once the reply thinks no more';
