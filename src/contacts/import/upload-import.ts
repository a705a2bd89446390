import { isUtf8 } from 'node:buffer'
import { memberChange } from '../../accounts/member-change.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { Context } from '../../context.ts'
import type { ContactImportView, UploadImport } from '../../contract/dashboard/contact-import.ts'
import type { Tell } from '../../contract/dashboard/told.ts'
import { fact, type Fact } from '../../facts/fact.ts'
import { IMPORT_LIMITS } from '../../limits/contacts.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { ServiceError } from '../../service-error.ts'
import { FILE_END, findDelimiter, readRows } from './read-rows.ts'
import { showImport } from './view-import.ts'

/**
 * Takes in a CSV file of contacts: UTF-8, its first row the names of the columns. Nothing of it is brought
 * in yet.
 *
 * @throws invalid
 * Spec: Contacts › Import.
 */
export async function uploadImport(
  context: Context & { tell: Tell },
  actor: Actor,
  { companyId, name, bytes }: UploadImport & { companyId: string; bytes: Buffer },
): Promise<ContactImportView> {
  const { db, ids, clock } = context
  if (!isUtf8(bytes)) throw refused(fact('import_not_utf8'))
  const whole = Buffer.concat([bytes, Buffer.from(FILE_END)])
  const part = whole.subarray(0, IMPORT_LIMITS.partBytes)
  const delimiter = findDelimiter(part.toString('utf8').split('\n', 1)[0]!)
  const [head, first] = readRows(part, { delimiter, most: 2 })
  if (!head || !first) throw refused(fact('import_without_rows'))
  const headers = readHeaders(head.cells)
  const now = clock.now()
  const importId = ids.uuid()
  await memberChange({ db, ids, now }, actor, async (tx, audit) => {
    await tx
      .insertInto('contactImport')
      .values({
        id: importId,
        companyId,
        name,
        state: 'uploaded',
        headers,
        delimiter,
        size: whole.length,
        firstByte: head.end,
        nextByte: head.end,
        createdBy: actor.personId,
        createdAt: now,
      })
      .execute()
    await tx.insertInto('contactImportFile').values({ importId, bytes: whole }).execute()
    await audit(
      'contact_import.uploaded',
      { kind: 'contact_import', id: importId, companyId },
      { name, bytes: bytes.length },
    )
  })
  return showImport(context, { companyId, importId })
}

function readHeaders(cells: readonly string[]): string[] {
  const most = IMPORT_LIMITS.headers
  if (cells.length > most) throw refused(fact('import_too_many_headers', { most }))
  const headers = cells.map((cell) => cleanText(cell).trim().slice(0, IMPORT_LIMITS.headerChars))
  const twice = headers.find((header, at) => header !== '' && headers.indexOf(header) !== at)
  if (twice !== undefined) throw refused(fact('import_header_twice', { header: twice }))
  return headers
}

function refused(why: Fact): ServiceError {
  return new ServiceError('invalid', why)
}
