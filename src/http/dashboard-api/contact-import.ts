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
} from '../../contract/dashboard/contact-import.ts'
import { PageQuery } from '../../contract/dashboard/page.ts'
import type { ContactImportRoutes } from '../../contract/dashboard/routes/contact-import.ts'
import { fact } from '../../core/facts/fact.ts'
import { IMPORT_LIMITS } from '../../core/limits/contacts.ts'
import { ServiceError } from '../../core/service-error.ts'
import { inCompany } from './access.ts'
import { body, query, readBytes, readId } from './read-input.ts'
import { routes } from './routes.ts'
import { streamCsv } from './stream-csv.ts'

export const IMPORT_PATH_END = '/contact-imports'
/** Browsers on Windows send a CSV file with the media type of an Excel workbook. */
export const IMPORT_TYPES = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
]

const IMPORTS = `/companies/:companyId${IMPORT_PATH_END}` as const
const IMPORT = `${IMPORTS}/:importId` as const

export const contactImportRoutes = routes<ContactImportRoutes>()
  .get(IMPORTS, inCompany('owner', 'admin'), query(PageQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listImports(context, { companyId, ...c.req.valid('query') }))
  })
  .post(IMPORTS, inCompany('owner', 'admin'), query(UploadImport), async (c) => {
    const { context, actor, companyId, bodies } = c.var
    const type = c.req.header('content-type')?.split(';', 1)[0]!.trim().toLowerCase() ?? ''
    if (!IMPORT_TYPES.includes(type)) {
      throw new ServiceError('unsupported_media_type', fact('import_body_type'))
    }
    const { name } = c.req.valid('query')
    const limits = { limit: IMPORT_LIMITS.bytes, room: bodies.fileRoom, tooLarge }
    const view = await readBytes(c, limits, (bytes) =>
      uploadImport(context, actor, { companyId, name, bytes }),
    )
    return c.json(view, 201)
  })
  .get(IMPORT, inCompany('owner', 'admin'), async (c) =>
    c.json(await showImport(c.var.context, owned(c))),
  )
  .post(`${IMPORT}/read`, inCompany('owner', 'admin'), body(ReadImport), async (c) => {
    const { context, actor } = c.var
    return c.json(await rereadImport(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })
  .post(`${IMPORT}/check`, inCompany('owner', 'admin'), body(CheckImport), async (c) => {
    const { context, actor } = c.var
    return c.json(await checkImport(context, actor, { ...owned(c), ...c.req.valid('json') }), 202)
  })
  .post(`${IMPORT}/start`, inCompany('owner', 'admin'), async (c) =>
    c.json(await startImport(c.var.context, c.var.actor, owned(c)), 202),
  )
  .post(`${IMPORT}/cancel`, inCompany('owner', 'admin'), async (c) =>
    c.json(await cancelImport(c.var.context, c.var.actor, owned(c))),
  )
  .get(`${IMPORT}/rows`, inCompany('owner', 'admin'), query(ImportRowsQuery), async (c) =>
    c.json(await listImportRows(c.var.context, { ...owned(c), ...c.req.valid('query') })),
  )
  .get(`${IMPORT}/rows.csv`, inCompany('owner', 'admin'), async (c) =>
    streamCsv(c, 'rows.csv', await importRowsAsCsv(c.var.context, owned(c))),
  )
  .post(
    '/companies/:companyId/contact-exports',
    inCompany('owner', 'admin'),
    body(ExportContacts),
    async (c) => {
      const { context, actor, companyId } = c.var
      const input = { companyId, ...c.req.valid('json') }
      return streamCsv(c, 'contacts.csv', await exportContacts(context, actor, input))
    },
  )

function tooLarge(): ServiceError {
  return new ServiceError(
    'payload_too_large',
    fact('import_too_large', { max: IMPORT_LIMITS.bytes }),
  )
}

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'importId'): string | undefined }
}) {
  return { companyId: c.var.companyId, importId: readId(c.req.param('importId')) }
}
