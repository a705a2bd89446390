import type {
  ContactFieldView,
  ContactQuery,
  ContactView,
  CreateContact,
  CreateContactField,
  DeleteTag,
  DuplicateQuery,
  DuplicateView,
  EditContact,
  EditContactField,
  EraseContact,
  ListedContact,
  MergeContact,
  NotSame,
  OptIn,
  OptOutView,
  RenameTag,
  TagJobView,
  TimelineEntry,
  TimelineQuery,
  WayToWrite,
} from '../contact.ts'
import type { IdentitiesView } from '../identity.ts'
import type { List, Page, PageQuery } from '../page.ts'
import type { Route } from './route.ts'

export interface ContactRoutes {
  '/companies/:companyId/contacts': {
    get: Route<Page<ListedContact>, { query: typeof ContactQuery }>
    post: Route<ContactView, { json: typeof CreateContact }>
  }
  '/companies/:companyId/contacts/:contactId': {
    get: Route<ContactView>
    patch: Route<ContactView, { json: typeof EditContact }>
  }
  '/companies/:companyId/contacts/:contactId/opt-out': { post: Route<ContactView> }
  '/companies/:companyId/contacts/:contactId/opt-in': {
    post: Route<ContactView, { json: typeof OptIn }>
  }
  '/companies/:companyId/contacts/:contactId/opt-outs': {
    get: Route<Page<OptOutView>, { query: typeof PageQuery }>
  }
  '/companies/:companyId/contacts/:contactId/timeline': {
    get: Route<Page<TimelineEntry>, { query: typeof TimelineQuery }>
  }
  '/companies/:companyId/contacts/:contactId/identities': { get: Route<IdentitiesView> }
  '/companies/:companyId/contacts/:contactId/ways-to-write': { get: Route<List<WayToWrite>> }
  '/companies/:companyId/contacts/:contactId/merge': {
    post: Route<ContactView, { json: typeof MergeContact }>
  }
  '/companies/:companyId/contacts/:contactId/unmerge': {
    post: Route<ContactView, { json: typeof MergeContact }>
  }
  '/companies/:companyId/contacts/:contactId/erase': {
    post: Route<ContactView, { json: typeof EraseContact }>
  }
  '/companies/:companyId/contact-duplicates': {
    get: Route<Page<DuplicateView>, { query: typeof DuplicateQuery }>
  }
  '/companies/:companyId/contact-duplicates/not-same': {
    post: Route<null, { json: typeof NotSame }>
  }
  '/companies/:companyId/contact-fields': {
    get: Route<List<ContactFieldView>>
    post: Route<ContactFieldView, { json: typeof CreateContactField }>
  }
  '/companies/:companyId/contact-fields/:fieldId': {
    patch: Route<ContactFieldView, { json: typeof EditContactField }>
  }
  '/companies/:companyId/tags': { get: Route<List<{ tag: string }>> }
  '/companies/:companyId/tags/jobs': { get: Route<Page<TagJobView>, { query: typeof PageQuery }> }
  '/companies/:companyId/tags/rename': { post: Route<TagJobView, { json: typeof RenameTag }> }
  '/companies/:companyId/tags/delete': { post: Route<TagJobView, { json: typeof DeleteTag }> }
}
