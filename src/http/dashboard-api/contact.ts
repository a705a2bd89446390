import { changeTag, listTagJobs } from '../../modules/contacts/change-tag.ts'
import {
  createContactField,
  editContactField,
  listContactFields,
} from '../../modules/contacts/contact-fields.ts'
import { listContactTimeline } from '../../modules/contacts/contact-timeline.ts'
import { createContact } from '../../modules/contacts/create-contact.ts'
import { editContact } from '../../modules/contacts/edit-contact.ts'
import { eraseContact } from '../../modules/contacts/erase-contact.ts'
import { listContacts } from '../../modules/contacts/list-contacts.ts'
import { listDuplicates } from '../../modules/contacts/list-duplicates.ts'
import { listIdentities } from '../../modules/contacts/list-identities.ts'
import { listOptOuts } from '../../modules/contacts/list-opt-outs.ts'
import { listTags } from '../../modules/contacts/list-tags.ts'
import { declareNotSame } from '../../modules/contacts/mark-not-same.ts'
import { mergeContact } from '../../modules/contacts/merge-contact.ts'
import { optInContact, optOutContact } from '../../modules/contacts/switch-opt-out.ts'
import { unmergeContact } from '../../modules/contacts/unmerge-contact.ts'
import { showContact } from '../../modules/contacts/view-contact.ts'
import {
  ContactQuery,
  CreateContact,
  CreateContactField,
  DeleteTag,
  DuplicateQuery,
  EditContact,
  EditContactField,
  EraseContact,
  MergeContact,
  MarkNotSame,
  OptIn,
  RenameTag,
  TimelineQuery,
  type ContactRoutes,
} from '../../contract/dashboard/contact.ts'
import { NamedPageQuery } from '../../contract/dashboard/ordered-page.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { listWaysToWrite } from '../../modules/inbox/list-ways-to-write.ts'
import { admins, members } from './access.ts'
import { answer, answerAs, ofSurvivor } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const CONTACTS = '/companies/:companyId/contacts'
const CONTACT = `${CONTACTS}/:contactId` as const
const DUPLICATES = '/companies/:companyId/contact-duplicates'
const FIELDS = '/companies/:companyId/contact-fields'
const TAGS = '/companies/:companyId/tags'

export const contactRoutes = routes<ContactRoutes>()
  .get(CONTACTS, members(), query(ContactQuery), answer(listContacts))
  .post(CONTACTS, members(), body(CreateContact), answerAs(createContact, 201))
  .get(CONTACT, members(), answer(showContact, 200, ofSurvivor))
  .patch(CONTACT, members(), body(EditContact), answerAs(editContact, 200, ofSurvivor))
  .post(`${CONTACT}/opt-out`, members(), answerAs(optOutContact, 200, ofSurvivor))
  .post(`${CONTACT}/opt-in`, members(), body(OptIn), answerAs(optInContact, 200, ofSurvivor))
  .get(`${CONTACT}/opt-outs`, members(), query(PageQuery), answer(listOptOuts, 200, ofSurvivor))
  .get(
    `${CONTACT}/timeline`,
    members(),
    query(TimelineQuery),
    answer(listContactTimeline, 200, ofSurvivor),
  )
  .get(`${CONTACT}/identities`, members(), answer(listIdentities, 200, ofSurvivor))
  .get(`${CONTACT}/ways-to-write`, members(), answer(listWaysToWrite, 200, ofSurvivor))
  .post(`${CONTACT}/merge`, admins(), body(MergeContact), answerAs(mergeContact, 200, ofSurvivor))
  .post(
    `${CONTACT}/unmerge`,
    admins(),
    body(MergeContact),
    answerAs(unmergeContact, 200, ofSurvivor),
  )
  .post(`${CONTACT}/erase`, admins(), body(EraseContact), answerAs(eraseContact, 200, ofSurvivor))
  .get(DUPLICATES, admins(), query(DuplicateQuery), answer(listDuplicates))
  .post(`${DUPLICATES}/not-same`, admins(), body(MarkNotSame), answerAs(declareNotSame))
  .get(FIELDS, members(), answer(listContactFields))
  .post(FIELDS, admins(), body(CreateContactField), answerAs(createContactField, 201))
  .patch(`${FIELDS}/:fieldId`, admins(), body(EditContactField), answerAs(editContactField))
  .get(TAGS, members(), query(NamedPageQuery), answer(listTags))
  .get(`${TAGS}/jobs`, admins(), query(PageQuery), answer(listTagJobs))
  .post(`${TAGS}/rename`, admins(), body(RenameTag), answerAs(changeTag, 202))
  .post(
    `${TAGS}/delete`,
    admins(),
    body(DeleteTag),
    answerAs((context, actor, input) => changeTag(context, actor, { ...input, newTag: null }), 202),
  )
