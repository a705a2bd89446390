import { exportContacts } from '../../modules/contacts/export-contacts.ts'
import { importRowsAsCsv, listImportRows } from '../../modules/contacts/import/list-rows.ts'
import {
  cancelImport,
  checkImport,
  startImport,
} from '../../modules/contacts/import/switch-import.ts'
import { rereadImport, uploadImport } from '../../modules/contacts/import/upload-import.ts'
import { listImports, showImport } from '../../modules/contacts/import/view-import.ts'
import {
  CheckImport,
  ExportContacts,
  ImportRowsQuery,
  ReadImport,
  UploadImport,
  type ContactImportRoutes,
} from '../../contract/dashboard/contact-import.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import { fact } from '../../core/facts/fact.ts'
import { IMPORT_LIMITS } from '../../core/limits/contacts.ts'
import { admins } from './access.ts'
import { acceptFile, answer, answerAs, pathIds } from './answer.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'
import { streamCsv } from './stream-file.ts'

/** The end of the path to which a list of contacts is uploaded. */
export const IMPORT_PATH_END = '/contact-imports'
/**
 * The media types of files of contacts that may be uploaded. The last one is of old Excel workbooks: browsers on
 * Windows send it with a CSV file.
 */
export const IMPORT_TYPES = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
]

const IMPORTS = `/companies/:companyId${IMPORT_PATH_END}` as const
const IMPORT = `${IMPORTS}/:importId` as const

export const contactImportRoutes = routes<ContactImportRoutes>()
  .get(IMPORTS, admins(), query(PageQuery), answer(listImports))
  .post(
    IMPORTS,
    admins(),
    query(UploadImport),
    acceptFile(uploadImport, {
      types: IMPORT_TYPES,
      otherType: fact('import_body_type'),
      maxBytes: IMPORT_LIMITS.bytes,
      tooLarge: fact('import_too_large', { max: IMPORT_LIMITS.bytes }),
    }),
  )
  .get(IMPORT, admins(), answer(showImport))
  .post(`${IMPORT}/read`, admins(), body(ReadImport), answerAs(rereadImport))
  .post(`${IMPORT}/check`, admins(), body(CheckImport), answerAs(checkImport, 202))
  .post(`${IMPORT}/start`, admins(), answerAs(startImport, 202))
  .post(`${IMPORT}/cancel`, admins(), answerAs(cancelImport))
  .get(`${IMPORT}/rows`, admins(), query(ImportRowsQuery), answer(listImportRows))
  .get(`${IMPORT}/rows.csv`, admins(), async (c) =>
    streamCsv(c, 'rows.csv', await importRowsAsCsv(c.var.context, pathIds(c, 'importId'))),
  )
  .post('/companies/:companyId/contact-exports', admins(), body(ExportContacts), async (c) => {
    const { context, actor, companyId } = c.var
    const input = { companyId, ...c.req.valid('json') }
    return streamCsv(c, 'contacts.csv', await exportContacts(context, actor, input))
  })
