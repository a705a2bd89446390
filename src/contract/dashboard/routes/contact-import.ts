import type {
  CheckImport,
  ContactImportView,
  ExportContacts,
  ImportRowsQuery,
  ImportRowsView,
  ReadImport,
  UploadImport,
} from '../contact-import.ts'
import type { Page, PageQuery } from '../page.ts'
import type { Bytes, Route } from './route.ts'

export interface ContactImportRoutes {
  '/companies/:companyId/contact-imports': {
    get: Route<Page<ContactImportView>, { query: typeof PageQuery }>
    post: Route<ContactImportView, { query: typeof UploadImport }>
  }
  '/companies/:companyId/contact-imports/:importId': { get: Route<ContactImportView> }
  '/companies/:companyId/contact-imports/:importId/read': {
    post: Route<ContactImportView, { json: typeof ReadImport }>
  }
  '/companies/:companyId/contact-imports/:importId/check': {
    post: Route<ContactImportView, { json: typeof CheckImport }>
  }
  '/companies/:companyId/contact-imports/:importId/start': { post: Route<ContactImportView> }
  '/companies/:companyId/contact-imports/:importId/cancel': { post: Route<ContactImportView> }
  '/companies/:companyId/contact-imports/:importId/rows': {
    get: Route<ImportRowsView, { query: typeof ImportRowsQuery }>
  }
  '/companies/:companyId/contact-imports/:importId/rows.csv': { get: Route<Bytes> }
  '/companies/:companyId/contact-exports': { post: Route<Bytes, { json: typeof ExportContacts }> }
}
