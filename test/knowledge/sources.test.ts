/**
 * Sources that a company writes down for its assistant: read, found, changed, and limited. Spec: Assistant ›
 * Knowledge.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type {
  ChunkView,
  KnowledgeOverview,
  SourceView,
  SourceWithText,
  SynonymView,
} from '../../src/contract/dashboard/knowledge.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { SOURCE_QUEUE } from '../../src/modules/knowledge/source-queue.ts'
import { prepareSource } from '../../src/modules/knowledge/prepare-chunks.ts'
import { readSource } from '../../src/modules/knowledge/read-source.ts'
import { settleRead } from '../../src/modules/knowledge/settle-source.ts'
import { KNOWLEDGE_LIMITS } from '../../src/core/limits/knowledge.ts'
import { claimFrom } from '../support/queues.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { docxOf, pdfOf } from '../support/documents.ts'
import { addText, findsBy, knowledgeOf, sourceOf, uploadDocument } from '../support/knowledge.ts'
import { openWorld } from '../support/open-world.ts'
import { ownedShop } from '../support/owned-shop.ts'
import { addSources, addSynonyms, putSource, wordsOf } from '../support/records/knowledge.ts'
import { holdLock } from '../support/records/locks.ts'
import type { Shop } from '../support/shop.ts'
import { systemTest } from '../support/system-tests.ts'

let shop: Shop
let owner: Member
let sources: string

const world = await openWorld({ databasePool: '8' })
const { context } = world.service

beforeEach(async () => {
  ;({ shop, owner } = await ownedShop(world))
  sources = `${knowledgeOf(shop)}/sources`
})

const add = (title: string, text: string) => addText(world, owner, shop, { title, text })
const addHours = () => add('Hours', 'Nine to five.')
const edit = (id: string, json: object) =>
  owner.ask<SourceWithText>('PATCH', `${sources}/${id}`, json)
const finds = (question: string) => findsBy(owner, shop, question)
/** Returns the state of a source, with the code of its failure. */
async function stateOf(id: string) {
  const { state, error } = await sourceOf(owner, shop, id)
  return error ? `${state}: ${error.code}` : state
}
/** Adds a text that no worker has read yet. Returns its id. */
async function unread() {
  const text = { kind: 'text', title: 'Hours', text: 'Nine to five.' }
  return (await owner.ask<SourceView>('POST', sources, text)).body.id
}
/** Returns a page of the pieces of a source. */
const piecesOf = (id: string, query = '') =>
  owner.ask<{ items: ChunkView[]; next: number }>('GET', `${sources}/${id}/chunks${query}`)
const wrongAt = (field: string, code: string) => ({
  status: 422,
  body: { errors: [{ field, code }] },
})

describe('Assistant › Knowledge: sources', () => {
  test('a text is found once it was read, by other forms of its words and misspelt ones', async () => {
    const title = 'التوصيل داخل الرياض'
    const { state, chunks } = await add(title, 'نوصل داخل الرياض خلال يومين برسوم ٢٥ ريالا.')
    expect({ state, chunks }).toEqual({ state: 'waiting', chunks: 0 })
    for (const question of ['كم سعر التوصيل', 'بكم التوصييل', 'توصلون؟', 'delivery cost']) {
      expect(await finds(question)).toEqual([title])
    }
    expect(await finds('do you repair phones')).toEqual([])
  })

  test('a question and its answer are one piece', async () => {
    const faq = { kind: 'faq', question: 'Do you open on Friday?', answer: 'From four to eleven.' }
    const { status, body } = await owner.ask<SourceWithText>('POST', sources, faq)
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: faq.question, text: faq.answer, kind: 'faq' })
    await world.service.processAll()
    const { items } = (await piecesOf(body.id)).body
    expect(items).toEqual([{ position: 0, heading: faq.question, body: faq.answer }])
    expect((await piecesOf(body.id, `?after=${2 ** 31}`)).status).toBe(422)
  })

  test('the pieces of a source are listed in their order, page by page', async () => {
    const text = Array.from({ length: 56 }, (_, nth) => `Piece ${nth}. ${'x'.repeat(590)}`)
    const { id } = await add('Long', text.join('\n\n'))
    const { body: first } = await piecesOf(id)
    const { body: second } = await piecesOf(id, `?after=${first.next}`)
    expect([...first.items, ...second.items].map(({ body }) => body)).toEqual(text)
    expect([first.items.length, second.next]).toEqual([50, null])
  })

  test('a changed answer may be as long as a new one, a text longer', async () => {
    const text = 'a'.repeat(KNOWLEDGE_LIMITS.answerChars + 1)
    const faq = { kind: 'faq', question: 'Do you deliver?', answer: 'a' }
    const { body } = await owner.ask<SourceWithText>('POST', sources, faq)
    expect(await edit(body.id, { text })).toMatchObject(wrongAt('text', 'too_long'))
    expect((await edit(body.id, { text: text.slice(1) })).status).toBe(200)
    const { id } = await add('Delivery', 'a')
    expect((await edit(id, { text })).status).toBe(200)
    const title = 'a'.repeat(KNOWLEDGE_LIMITS.titleChars + 1)
    expect((await edit(id, { title })).status).toBe(422)
    expect((await edit(body.id, { title })).status).toBe(200)
  })

  systemTest('an uploaded document is read: Word, and an Arabic PDF by its letters', async () => {
    const bytes = docxOf(['# Returns', 'Pieces come back within seven days.'])
    const { status } = await uploadDocument(world, owner, shop, { name: 'rules.docx', bytes })
    expect(status).toBe(201)
    const drawn = [...'ﺗﻐﻠﻴﻒ ﺍﻟﻬﺪﺍﻳﺎ ﻣﺠﺎﻧﻲ'].toReversed().join('')
    await uploadDocument(world, owner, shop, { name: 'هدايا.pdf', bytes: pdfOf([[drawn]]) })
    await world.service.processAll()
    expect(await finds('return after seven days')).toEqual(['Returns'])
    expect(await finds('تغليف هدايا')).toEqual(['هدايا'])
  })

  systemTest('a document that cannot be read says why, and other documents are read', async () => {
    const bytes = `%PDF-1.7 ${'junk'.repeat(100)}`
    const { body } = await uploadDocument(world, owner, shop, { name: 'prices.pdf', bytes })
    await addHours()
    const broken = { state: 'failed', error: { code: 'source_broken' }, chunks: 0, dueAt: null }
    expect(await sourceOf(owner, shop, body.id)).toMatchObject(broken)
    expect(await finds('hours')).toEqual(['Hours'])
  })

  test.each([
    ['a file of another kind', 'photo.png', 'x', 'source_file_type'],
    ['one whose name says otherwise', 'prices.pdf', 'a,b\n1,2', 'source_file_differs'],
    ['bytes under a name of text', 'notes.txt', 'a\0b', 'source_file_differs'],
    ['an empty file', 'notes.txt', '', 'file_empty'],
  ])('%s is refused with the reason', async (_case, name, bytes, code) => {
    const { status, body } = await uploadDocument(world, owner, shop, { name, bytes })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain(code)
  })

  test('a file of more than 10 MB is refused', async () => {
    const bytes = Buffer.alloc(KNOWLEDGE_LIMITS.fileBytes + 1, 'a')
    const { status } = await uploadDocument(world, owner, shop, { name: 'a.txt', bytes })
    expect(status).toBe(413)
  })

  test('a changed source is found by its new words, and not by its old ones', async () => {
    const { id } = await addHours()
    const changed = { title: 'Parking', text: 'Behind the cinema.' }
    expect((await edit(id, changed)).status).toBe(200)
    // The old text is found until the new one has been read.
    expect(await finds('nine to five')).toHaveLength(1)
    expect(await finds('cinema')).toEqual([])
    await world.service.processAll()
    expect(await finds('nine to five')).toEqual([])
    expect(await finds('cinema')).toEqual(['Parking'])
  })

  test('a source is no longer found once it is switched off, and is found again once it is on', async () => {
    const { id } = await addHours()
    const off = { isOn: false, chunks: 0, state: 'ready' }
    expect((await edit(id, { isOn: false })).body).toMatchObject(off)
    expect(await finds('hours')).toEqual([])
    expect((await owner.ask('POST', `${sources}/${id}/read`)).status).toBe(409)
    await edit(id, { isOn: true })
    await world.service.processAll()
    expect(await finds('hours')).toEqual(['Hours'])
  })

  test('a deleted source is not found, and its words are gone', async () => {
    const { id } = await addHours()
    await add('Friday', 'Nine to noon.')
    expect((await owner.ask('DELETE', `${sources}/${id}`)).status).toBe(204)
    expect(await finds('hours')).toEqual([])
    const words = await wordsOf(world, shop)
    expect(words).toContainEqual({ term: 'nine', chunks: 1 })
    expect(words.map(({ term }) => term)).not.toContain('hour')
  })

  test('no word stays behind of two sources that are deleted concurrently', async () => {
    const text = 'Rings of zirconium'
    const made = [await add('Rings', text), await add('More rings', text)]
    await using lock = await holdLock(world, 'the words of knowledge')
    const deleting = made.map(({ id }) => owner.ask('DELETE', `${sources}/${id}`))
    await lock.blocks('both wait', 2)
    await lock.release()
    expect((await Promise.all(deleting)).map(({ status }) => status)).toEqual([204, 204])
    expect(await wordsOf(world, shop)).toEqual([])
  })

  test('the text of a file cannot be edited', async () => {
    const { body } = await uploadDocument(world, owner, shop, { name: 'a.txt', bytes: 'Nine.' })
    const refused = wrongAt('text', 'source_has_no_text_to_edit')
    expect(await edit(body.id, { text: 'Ten.' })).toMatchObject(refused)
  })

  test('a company has at most 1,000 sources', async () => {
    const many = Array.from({ length: KNOWLEDGE_LIMITS.sources }, () => ({}))
    await addSources(world, shop, many)
    const answer = await owner.ask('POST', sources, { kind: 'text', title: 'one', text: 'more' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    const { body } = await owner.ask<KnowledgeOverview>('GET', knowledgeOf(shop))
    expect(body).toMatchObject({ sources: 1_000, maxSources: 1_000, maxChunks: 20_000 })
  })

  systemTest('a source whose pieces would exceed the company’s limit is not served', async () => {
    const other = context.ids.uuid()
    await addSources(world, shop, [{ id: other, chunkCount: KNOWLEDGE_LIMITS.chunks }])
    const { id } = await add('one', 'more')
    expect(await stateOf(id)).toBe('failed: chunks_full')
    // It is served with room for one piece, and replaces its own piece when it is read again.
    await putSource(world, other, { chunkCount: KNOWLEDGE_LIMITS.chunks - 1 })
    for (const text of ['more', 'and more']) {
      await edit(id, { text })
      await world.service.processAll()
      expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', chunks: 1 })
    }
  })

  test('one of two sources that two nodes read concurrently for the last piece is served', async () => {
    const { db, ids, clock } = context
    const text = 'Rings of zirconium'
    await add('Rings', text)
    const { companyId } = shop
    const made = ['one', 'two'].map((title) => {
      return { id: ids.uuid(), companyId, kind: 'text' as const, title, claimId: ids.uuid() }
    })
    const now = clock.now()
    await addSources(world, shop, [
      { chunkCount: KNOWLEDGE_LIMITS.chunks - 2 },
      ...made.map((row) => ({ ...row, state: 'reading', leaseExpiresAt: now })),
    ])
    await using lock = await holdLock(world, 'the words of knowledge')
    const settling = made.map((row) => {
      const prepared = prepareSource(row.title, [{ kind: 'whole', text }])
      const none = {
        accountId: shop.accountId,
        url: null,
        mediaType: null,
        chunkCount: 0,
        revision: 1,
        attempt: 1,
      }
      return settleRead({ db, ids }, { ...row, ...none }, { prepared, title: null, now })
    })
    await lock.blocks('both wait', 2)
    await lock.release()
    const refused = (await Promise.all(settling)).map((why) => why?.code ?? null)
    expect(refused.toSorted()).toEqual(['chunks_full', null])
  })

  test('the list is newest first, by pages and by kind', async () => {
    for (const title of ['one', 'two', 'three']) await add(title, title)
    await owner.ask('POST', sources, { kind: 'faq', question: 'four?', answer: 'four' })
    const list = async (more = '') =>
      (await owner.ask<Page<SourceView>>('GET', `${sources}?kind=text&limit=2${more}`)).body
    const first = await list()
    expect(first.items.map(({ title }) => title)).toEqual(['three', 'two'])
    const second = await list(`&cursor=${first.nextCursor}`)
    expect(second.items.map(({ title }) => title)).toEqual(['one'])
    expect(second.nextCursor).toBeNull()
  })

  test('a source whose reading ends its process again and again is abandoned, until a member retries it', async () => {
    const id = await unread()
    await putSource(world, id, { attempt: 3 })
    await world.service.processAll()
    expect(await stateOf(id)).toBe('failed: source_broken')
    expect((await owner.ask('POST', `${sources}/${id}/read`)).status).toBe(202)
    await world.service.processAll()
    expect(await stateOf(id)).toBe('ready')
  })

  test('a source that is changed while it is read is read once more, whatever that reading returns', async () => {
    const changed = await unread()
    const claimed = await claimFrom(world, SOURCE_QUEUE, { limit: 100 })
    const loaded = claimed.find(({ id }) => id === changed)!
    await edit(changed, { text: 'Ten to noon.' })
    const send = () => Promise.reject(new Error('nothing is fetched'))
    // One reading is complete, the other one fails.
    for (const attempt of [1, 99]) {
      await readSource({ ...context, outbound: { send } }, { ...loaded, attempt })
      expect(await sourceOf(owner, shop, changed)).toMatchObject({ state: 'waiting', chunks: 0 })
    }
    await world.service.processAll()
    expect(await finds('noon')).toEqual(['Hours'])
    expect(await finds('five')).toEqual([])
  })

  test('Agents see nothing of it, and another company finds nothing', async () => {
    await addHours()
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await agent.ask('GET', sources)).status).toBe(403)
    const other = await ownedShop(world)
    expect(await findsBy(other.owner, other.shop, 'hours nine five')).toEqual([])
  })
})

describe('Assistant › Knowledge: synonyms', () => {
  const set = (word: string, means: string[], of = { shop, owner }) =>
    of.owner.ask('PUT', `${knowledgeOf(of.shop)}/synonyms`, { word, means })

  test('a question with a synonym finds its meaning, until it is deleted, and in this company alone', async () => {
    await add('Karak', 'Tea with milk and cardamom.')
    const synonyms = `${knowledgeOf(shop)}/synonyms`
    expect((await set('عدني', ['karak'], await ownedShop(world))).status).toBe(200)
    expect(await finds('شاهي عدني')).toEqual([])
    expect((await set('عدني', ['karak'])).status).toBe(200)
    expect(await finds('فيه عدني؟')).toEqual(['Karak'])
    const { body } = await owner.ask<{ items: SynonymView[] }>('GET', synonyms)
    expect(body.items).toEqual([{ word: 'عدني', means: ['karak'] }])
    const gone = await owner.ask('POST', `${synonyms}/delete`, { word: 'عدني' })
    expect(gone.status).toBe(204)
    expect(await finds('فيه عدني؟')).toEqual([])
  })

  test.each([
    ['two words', 'x', 'word', 'synonym_not_one_word'],
    ['؟؟', 'x', 'word', 'synonym_not_one_word'],
    ['x', '؟', 'means', 'synonym_of_no_words'],
  ])('“%s” for “%s” is refused', async (word, meaning, field, code) => {
    expect(await set(word, [meaning])).toMatchObject(wrongAt(field, code))
  })

  test('a company has at most 500, each of which may be changed', async () => {
    const words = Array.from({ length: KNOWLEDGE_LIMITS.synonyms - 1 }, (_, nth) => `w${nth}`)
    await addSynonyms(world, shop, words)
    const answers = []
    for (const word of ['karak', 'karak', 'adeni']) answers.push(await set(word, ['tea']))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 409])
  })
})
