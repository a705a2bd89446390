-- What the assistant hears and sees: voice notes by a model that transcribes, photos by one that reads images.

alter table model add column transcription_model text;
comment on column model.transcription_model is 'By which its server transcribes voice notes; null: it does not';
comment on column model.reads_images is 'It is shown the photos of customers';

alter table assistant add column transcribes boolean not null default false;
alter table assistant add column reads_images boolean not null default false;
comment on column assistant.transcribes is 'Voice notes are transcribed, where a model can';
comment on column assistant.reads_images is 'Photos are shown to the models that read them';

alter table assistant_step drop constraint assistant_step_kind_check;
alter table assistant_step add constraint assistant_step_kind_check
  check (kind in ('model', 'tool', 'search', 'guard', 'hear'));
