-- Where on a merchant's website an enquiry was sent from.

alter table message add column page text;
comment on column message.page is 'Of an enquiry: the address of the page with the form, as that page tells it; nobody has proved it';
