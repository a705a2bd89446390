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
import { survivorOf } from '../../modules/contacts/survivor-of.ts'
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
  NotSame,
  OptIn,
  RenameTag,
  TimelineQuery,
} from '../../contract/dashboard/contact.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ContactRoutes } from '../../contract/dashboard/routes/contact.ts'
import { listWaysToWrite } from '../../modules/inbox/list-ways-to-write.ts'
import type { HttpDeps } from '../http-deps.ts'
import { inCompany } from './access.ts'
import { body, query, readId } from './read-input.ts'
import { routes } from './routes.ts'

const CONTACTS = '/companies/:companyId/contacts'
const CONTACT = `${CONTACTS}/:contactId` as const
const DUPLICATES = '/companies/:companyId/contact-duplicates'
const FIELDS = '/companies/:companyId/contact-fields'
const TAGS = '/companies/:companyId/tags'

const everybody = () => inCompany('owner', 'admin', 'agent')

export const contactRoutes = routes<ContactRoutes>()
  .get(CONTACTS, everybody(), query(ContactQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listContacts(context, { companyId, ...c.req.valid('query') }))
  })
  .post(CONTACTS, everybody(), body(CreateContact), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await createContact(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .get(CONTACT, everybody(), async (c) => c.json(await showContact(c.var.context, await owned(c))))
  .patch(CONTACT, everybody(), body(EditContact), async (c) => {
    const { context, actor } = c.var
    return c.json(
      await editContact(context, actor, { ...c.req.valid('json'), ...(await owned(c)) }),
    )
  })
  .post(`${CONTACT}/opt-out`, everybody(), async (c) =>
    c.json(await optOutContact(c.var.context, c.var.actor, await owned(c))),
  )
  .post(`${CONTACT}/opt-in`, everybody(), body(OptIn), async (c) => {
    const { context, actor } = c.var
    return c.json(
      await optInContact(context, actor, { ...c.req.valid('json'), ...(await owned(c)) }),
    )
  })
  .get(`${CONTACT}/opt-outs`, everybody(), query(PageQuery), async (c) =>
    c.json(await listOptOuts(c.var.context, { ...c.req.valid('query'), ...(await owned(c)) })),
  )
  .get(`${CONTACT}/timeline`, everybody(), query(TimelineQuery), async (c) =>
    c.json(
      await listContactTimeline(c.var.context, { ...c.req.valid('query'), ...(await owned(c)) }),
    ),
  )
  .get(`${CONTACT}/identities`, everybody(), async (c) =>
    c.json(await listIdentities(c.var.context, await owned(c))),
  )
  .get(`${CONTACT}/ways-to-write`, everybody(), async (c) =>
    c.json(await listWaysToWrite(c.var.context, await owned(c))),
  )
  .post(`${CONTACT}/merge`, inCompany('owner', 'admin'), body(MergeContact), async (c) => {
    const { context, actor } = c.var
    return c.json(
      await mergeContact(context, actor, { ...c.req.valid('json'), ...(await owned(c)) }),
    )
  })
  .post(`${CONTACT}/unmerge`, inCompany('owner', 'admin'), body(MergeContact), async (c) => {
    const { context, actor } = c.var
    return c.json(
      await unmergeContact(context, actor, { ...c.req.valid('json'), ...(await owned(c)) }),
    )
  })
  .post(`${CONTACT}/erase`, inCompany('owner', 'admin'), body(EraseContact), async (c) =>
    c.json(await eraseContact(c.var.context, c.var.actor, await owned(c))),
  )
  .get(DUPLICATES, inCompany('owner', 'admin'), query(DuplicateQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listDuplicates(context, { companyId, ...c.req.valid('query') }))
  })
  .post(`${DUPLICATES}/not-same`, inCompany('owner', 'admin'), body(NotSame), async (c) => {
    const { context, actor, companyId } = c.var
    await declareNotSame(context, actor, { companyId, ...c.req.valid('json') })
    return c.body(null, 204)
  })
  .get(FIELDS, everybody(), async (c) =>
    c.json(await listContactFields(c.var.context, { companyId: c.var.companyId })),
  )
  .post(FIELDS, inCompany('owner', 'admin'), body(CreateContactField), async (c) => {
    const { context, actor, companyId } = c.var
    const input = { companyId, ...c.req.valid('json') }
    return c.json(await createContactField(context, actor, input), 201)
  })
  .patch(`${FIELDS}/:fieldId`, inCompany('owner', 'admin'), body(EditContactField), async (c) => {
    const { context, actor, companyId } = c.var
    const fieldId = readId(c.req.param('fieldId'))
    const input = { companyId, fieldId, ...c.req.valid('json') }
    return c.json(await editContactField(context, actor, input))
  })
  .get(TAGS, everybody(), async (c) =>
    c.json(await listTags(c.var.context, { companyId: c.var.companyId })),
  )
  .get(`${TAGS}/jobs`, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listTagJobs(context, { companyId, ...c.req.valid('query') }))
  })
  .post(`${TAGS}/rename`, inCompany('owner', 'admin'), body(RenameTag), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await changeTag(context, actor, { companyId, ...c.req.valid('json') }), 202)
  })
  .post(`${TAGS}/delete`, inCompany('owner', 'admin'), body(DeleteTag), async (c) => {
    const { context, actor, companyId } = c.var
    const { tag } = c.req.valid('json')
    return c.json(await changeTag(context, actor, { companyId, tag, newTag: null }), 202)
  })

/** Returns the contact of the path, or the one that it has been merged into. */
function owned(c: {
  var: { companyId: string; context: HttpDeps }
  req: { param(name: 'contactId'): string | undefined }
}) {
  const contactId = readId(c.req.param('contactId'))
  return survivorOf(c.var.context.db.kysely, { companyId: c.var.companyId, contactId })
}
