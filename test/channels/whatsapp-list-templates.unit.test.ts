import { describe, expect, onTestFinished, test } from 'vitest'
import { ProviderRefused } from '../../src/modules/channels/channel-adapter.ts'
import { createWhatsAppAdapter } from '../../src/modules/channels/whatsapp/adapter.ts'
import { listProviderTemplates } from '../../src/modules/messaging/refresh-templates.ts'
import { connectionTo, startMeta } from './loopback-meta.ts'

type Page = { data: unknown; after?: string; status?: number }

/** Starts a server with these pages, the first without a cursor, and lists the templates. */
async function listFrom(pageAfter: (cursor: string | null) => Page) {
  const meta = await startMeta((response, { path }) => {
    const cursor = new URL(path, 'http://localhost').searchParams.get('after')
    const { data, after, status = 200 } = pageAfter(cursor)
    response.writeHead(status)
    response.end(JSON.stringify({ data, ...(after ? { paging: { cursors: { after } } } : {}) }))
  })
  const { phoneNumberId, businessAccountId, accessToken, ...at } = connectionTo(meta.url)
  const adapter = createWhatsAppAdapter({
    baseUrls: { whatsApp: at.baseUrl, simulated: {} },
    apiVersion: at.apiVersion,
  })
  onTestFinished(() => adapter.close())
  const listing = listProviderTemplates(adapter, {
    route: phoneNumberId,
    account: businessAccountId,
    settings: {},
    isSimulated: false,
    credentials: { accessToken, appSecret: 'secret', verifyToken: 'secret' },
  })
  return { seen: meta.seen, listing }
}

const template = (id: string) => ({ id, name: `t_${id}`, language: 'ar', status: 'APPROVED' })

describe('Every template of the account is listed', () => {
  test('page after page, with the required fields', async () => {
    const pages = new Map<string | null, Page>([
      [null, { data: [template('1'), template('2')], after: 'A' }],
      ['A', { data: [template('3')], after: 'B' }],
      ['B', { data: [] }],
    ])
    const { listing, seen } = await listFrom((cursor) => pages.get(cursor) as Page)
    const names = (await listing).templates.map(({ name }) => name)
    expect(names).toEqual(['t_1', 't_2', 't_3'])
    const { pathname, searchParams } = new URL(seen[0]?.path ?? '', 'http://localhost')
    expect(pathname).toBe('/v25.0/100000000000001/message_templates')
    expect(Object.fromEntries(searchParams)).toEqual({
      fields: 'id,name,language,status,category,parameter_format,components',
      limit: '100',
    })
  })

  test('from a page of long Arabic templates, each of whose letters takes six characters', async () => {
    const components = [{ type: 'BODY', text: 'x'.repeat(6 * 4_000) }]
    const long = Array.from({ length: 100 }, (_, n) => ({ ...template(`${n}`), components }))
    const { listing } = await listFrom(() => ({ data: long }))
    expect((await listing).templates).toHaveLength(100)
  })

  test('until a cursor repeats itself', async () => {
    const { listing, seen } = await listFrom(() => ({ data: [template('1')], after: 'A' }))
    expect((await listing).isWhole).toBe(true)
    expect(seen).toHaveLength(2)
  })

  test('up to 64 pages, after which the list counts as incomplete', async () => {
    let page = 0
    const { listing, seen } = await listFrom(() => {
      page += 1
      return { data: [template(String(page))], after: `cursor ${page}` }
    })
    const { templates, isWhole } = await listing
    expect([templates.length, isWhole]).toEqual([64, false])
    expect(seen).toHaveLength(64)
  })

  test('with its components, and positional parameters by default', async () => {
    const body = { type: 'BODY', text: 'Hello {{1}}' }
    const buttons = [{ type: 'URL', text: 'Go', url: 'https://a.example/' }]
    const components = [
      { ...body, example: { body_text: [['Sara']] } },
      { type: 'BUTTONS', buttons },
    ]
    const { listing } = await listFrom(() => ({
      data: [
        { ...template('1'), category: 'UTILITY', components },
        { ...template('2'), parameter_format: 'NAMED' },
        { id: '3' },
        null,
      ],
    }))
    const read = { language: 'ar', status: 'APPROVED' }
    const first = { category: 'UTILITY', parameterFormat: 'POSITIONAL' }
    const second = { category: 'UNKNOWN', parameterFormat: 'NAMED', components: [] }
    expect((await listing).templates).toEqual([
      {
        ...read,
        ...first,
        providerTemplateId: '1',
        name: 't_1',
        components: [body, { type: 'BUTTONS', buttons }],
      },
      { ...read, ...second, providerTemplateId: '2', name: 't_2' },
    ])
  })

  test('with an error instead of a shorter list when it breaks off', async () => {
    const { listing } = await listFrom((cursor) =>
      cursor === null ? { data: [template('1')], after: 'A' } : { data: null, status: 500 },
    )
    const error: unknown = await listing.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ProviderRefused)
    expect(error).toMatchObject({ error: { class: 'transient' } })
    expect(String((error as Error).stack)).not.toContain('secret')
  })
})
