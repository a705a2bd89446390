import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type {
  ContactImportView,
  ImportRowsView,
} from '../../src/contract/dashboard/contact-import.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { CONTACT_JOBS } from '../../src/core/limits/contacts.ts'
import type { Answer, Member } from './dashboard.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'
import { postFile } from './upload-file.ts'
import { waitUntil } from './wait.ts'

export function uploadContacts<Body = ContactImportView>(
  world: Pick<World, 'url'>,
  member: Pick<Member, 'token'>,
  shop: Pick<Shop, 'companyId'>,
  content: string | Buffer,
  { type = 'text/csv' }: { type?: string } = {},
): Promise<Answer<Body>> {
  const path = `/companies/${shop.companyId}/contact-imports?name=customers.csv`
  return postFile<Body>(world, member, path, content, type)
}

/** The response to an import of contacts: a view, or the reason why it was refused. */
type ImportAnswer = ContactImportView & Partial<Problem>

const COLUMNS = { name: 'Name', phone: 'Phone', email: 'Mail', tags: 'Tags', opted_out: 'Out' }
const HEAD = 'Name,Phone,Mail,Tags,Out'

/** Returns functions of one member of a shop who adds contacts and imports files of them. */
export function importsOf(
  world: World,
  { owner, shop }: { owner: Pick<Member, 'ask' | 'token'>; shop: Pick<Shop, 'companyId'> },
) {
  const at = `/companies/${shop.companyId}`
  const show = async (id: string) =>
    (await owner.ask<ContactImportView>('GET', `${at}/contact-imports/${id}`)).body
  const ask = (id: string, what: string, json?: unknown) =>
    owner.ask<ImportAnswer>('POST', `${at}/contact-imports/${id}/${what}`, json)
  const upload = (content: string | Buffer, type?: string) =>
    uploadContacts<ImportAnswer>(world, owner, shop, content, type ? { type } : {})

  /** Lets the service work until no page is due. */
  async function settle(id: string): Promise<ContactImportView> {
    await waitUntil('the import is over', async () => {
      await world.service.processAll()
      world.clock.advance(CONTACT_JOBS.pageEveryMs)
      return !['checking', 'running'].includes((await show(id)).state)
    })
    return show(id)
  }

  /** Uploads rows of these columns, and begins to check them. Returns the id. */
  async function begin(rows: string, more: object = {}, head = HEAD): Promise<string> {
    const { body } = await upload(`${head}\n${rows}`)
    const { status } = await ask(body.id, 'check', { columns: COLUMNS, ...more })
    if (status !== 202) throw new Error(`the check was answered ${status}`)
    return body.id
  }

  /** Imports the rows that were checked. */
  async function start(id: string, json?: object): Promise<ContactImportView> {
    const { status } = await ask(id, 'start', json)
    if (status !== 202) throw new Error(`the start was answered ${status}`)
    return settle(id)
  }

  /** Returns rows of an import as a member sees them; `query` says which. */
  const rows = async (id: string, query = 'limit=100') =>
    (await owner.ask<ImportRowsView>('GET', `${at}/contact-imports/${id}/rows?${query}`)).body.items

  return {
    COLUMNS,
    HEAD,
    show,
    ask,
    upload,
    rows,
    /** The codes of what a member should know of a row, by its number; rows without any are left out. */
    listed: async (id: string) =>
      Object.fromEntries(
        (await rows(id, 'listed=true&limit=100')).map(({ row, notes }) => [
          row,
          notes.map(({ problem }) => problem.code),
        ]),
      ),
    settle,
    begin,
    start,
    check: async (lines: string, more?: object) => (await settle(await begin(lines, more))).id,
    importPage: async (lines: string, more?: object, head?: string) =>
      start((await settle(await begin(lines, more, head))).id),
    make: async (input: object) =>
      (await owner.ask<ContactView>('POST', `${at}/contacts`, input)).body,
    /** Returns all contacts of the shop, in the order in which they were made. */
    contacts: async () =>
      (
        await owner.ask<Page<ContactView>>('GET', `${at}/contacts?limit=100`)
      ).body.items.toReversed(),
  }
}
