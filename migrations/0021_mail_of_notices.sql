-- A mail server may accept an e-mail for some Owners and refuse the others for now.
alter table notice add column mail_done_for uuid[] not null default '{}';
comment on column notice.mail_done_for is 'The Owners that the next attempt to send the e-mail leaves out, because the mail server accepted it for them or cannot deliver to them';
