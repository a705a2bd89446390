import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  ChunkView,
  KnowledgeOverview,
  SourceView,
  SourceWithText,
  SynonymView,
} from '../../src/contract/dashboard/knowledge.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { claimSources } from '../../src/knowledge/claim-sources.sql.ts'
import { prepareSource } from '../../src/knowledge/prepare-chunks.ts'
import { readSource } from '../../src/knowledge/read-source.ts'
import { settleRead } from '../../src/knowledge/settle-source.ts'
import { KNOWLEDGE_LIMITS } from '../../src/limits/knowledge.ts'
import { countBlockedBy, pidOf } from '../support/blocked.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { docxOf, pdfOf } from '../support/documents.ts'
import { addText, findsBy, knowledgeOf, sourceOf, uploadDocument } from '../support/knowledge.ts'
import { createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { createRandom } from '../support/random.ts'

const random = createRandom('sources')

let world: World
let shop: Shop
let owner: Member
let sources: string

beforeAll(async () => {
  world = await createWorld({ databasePool: '8' })
})
afterAll(() => world.close())
beforeEach(async () => {
  shop = await createShop(world, { phoneNumberId: String(random()).slice(2) })
  owner = await signedIn(world, shop)
  sources = `${knowledgeOf(shop)}/sources`
})

describe('Assistant › Knowledge: sources', () => {
  test('a text is found once it was read, by other forms of its words and misspelt ones', async () => {
    const { state, chunks } = await addText(world, owner, shop, {
      title: 'التوصيل داخل الرياض',
      text: 'نوصل داخل الرياض خلال يومين برسوم ٢٥ ريالا.',
    })
    expect({ state, chunks }).toEqual({ state: 'waiting', chunks: 0 })
    for (const question of ['كم سعر التوصيل', 'بكم التوصييل', 'توصلون؟', 'delivery cost']) {
      expect(await findsBy(owner, shop, question)).toEqual(['التوصيل داخل الرياض'])
    }
    expect(await findsBy(owner, shop, 'do you repair phones')).toEqual([])
  })

  test('a question and its answer are one piece', async () => {
    const faq = { kind: 'faq', question: 'Do you open on Friday?', answer: 'From four to eleven.' }
    const { status, body } = await owner.ask<SourceWithText>('POST', sources, faq)
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: faq.question, text: faq.answer, kind: 'faq' })
    await world.service.processAll()
    const { body: read } = await owner.ask<{ items: ChunkView[] }>(
      'GET',
      `${sources}/${body.id}/chunks`,
    )
    expect(read.items).toEqual([{ position: 0, heading: faq.question, body: faq.answer }])
    const tooFar = `${sources}/${body.id}/chunks?after=${2 ** 31}`
    expect((await owner.ask('GET', tooFar)).status).toBe(422)
  })

  test('an answer is as long when it is changed as when it was given, a text longer', async () => {
    const text = 'a'.repeat(KNOWLEDGE_LIMITS.answerChars + 1)
    const faq = { kind: 'faq', question: 'Do you deliver?', answer: 'a' }
    const { body } = await owner.ask<SourceWithText>('POST', sources, faq)
    const tooLong = await owner.ask('PATCH', `${sources}/${body.id}`, { text })
    expect(tooLong).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'text', code: 'too_long' }] },
    })
    const most = await owner.ask('PATCH', `${sources}/${body.id}`, { text: text.slice(1) })
    expect(most.status).toBe(200)
    const { id } = await addText(world, owner, shop, { title: 'Delivery', text: 'a' })
    expect((await owner.ask('PATCH', `${sources}/${id}`, { text })).status).toBe(200)
    const title = 'a'.repeat(KNOWLEDGE_LIMITS.titleChars + 1)
    expect((await owner.ask('PATCH', `${sources}/${id}`, { title })).status).toBe(422)
    expect((await owner.ask('PATCH', `${sources}/${body.id}`, { title })).status).toBe(200)
  })

  test('an uploaded document is read: Word, and an Arabic PDF found by ordinary letters', async () => {
    const word = docxOf(['# Returns', 'Pieces come back within seven days.'])
    const { status } = await uploadDocument(world, owner, shop, { name: 'rules.docx', bytes: word })
    expect(status).toBe(201)
    const drawn = [...'ﺗﻐﻠﻴﻒ ﺍﻟﻬﺪﺍﻳﺎ ﻣﺠﺎﻧﻲ'].toReversed().join('')
    await uploadDocument(world, owner, shop, { name: 'هدايا.pdf', bytes: pdfOf([[drawn]]) })
    await world.service.processAll()
    expect(await findsBy(owner, shop, 'return after seven days')).toEqual(['Returns'])
    expect(await findsBy(owner, shop, 'تغليف هدايا')).toEqual(['هدايا'])
  })

  test('a document that cannot be read says why, and its others are read', async () => {
    const { body } = await uploadDocument(world, owner, shop, {
      name: 'prices.pdf',
      bytes: `%PDF-1.7 ${'junk'.repeat(100)}`,
    })
    await addText(world, owner, shop, { title: 'Hours', text: 'Nine to five.' })
    const { state, error, chunks, dueAt } = await sourceOf(owner, shop, body.id)
    expect({ state, code: error?.code, chunks, dueAt }).toEqual({
      state: 'failed',
      code: 'source_broken',
      chunks: 0,
      dueAt: null,
    })
    expect(await findsBy(owner, shop, 'hours')).toEqual(['Hours'])
  })

  test.each([
    ['a file of another kind', 'photo.png', 'x', 422, 'source_file_type'],
    ['one whose name says otherwise', 'prices.pdf', 'a,b\n1,2', 422, 'source_file_differs'],
    ['bytes under a name of text', 'notes.txt', 'a\0b', 422, 'source_file_differs'],
    ['an empty file', 'notes.txt', '', 422, 'file_empty'],
  ])('%s is refused with the reason', async (_case, name, bytes, status, code) => {
    const answer = await uploadDocument<{ detail: string; reason?: { code: string } }>(
      world,
      owner,
      shop,
      { name, bytes },
    )
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).toContain(code)
  })

  test('a file of more than 10 MB is refused', async () => {
    const bytes = Buffer.alloc(KNOWLEDGE_LIMITS.fileBytes + 1, 'a')
    const { status } = await uploadDocument(world, owner, shop, { name: 'a.txt', bytes })
    expect(status).toBe(413)
  })

  test('what is changed is found in its new words, and no more in its old', async () => {
    const { id } = await addText(world, owner, shop, { title: 'Hours', text: 'Nine to five.' })
    const { status } = await owner.ask('PATCH', `${sources}/${id}`, {
      title: 'Parking',
      text: 'Behind the cinema.',
    })
    expect(status).toBe(200)
    // Until it has been read again the old is found.
    expect(await findsBy(owner, shop, 'nine to five')).toHaveLength(1)
    expect(await findsBy(owner, shop, 'cinema')).toEqual([])
    await world.service.processAll()
    expect(await findsBy(owner, shop, 'nine to five')).toEqual([])
    expect(await findsBy(owner, shop, 'cinema')).toEqual(['Parking'])
  })

  test('switched off it is not found at once, switched on it is found again', async () => {
    const { id } = await addText(world, owner, shop, { title: 'Hours', text: 'Nine to five.' })
    const off = await owner.ask<SourceView>('PATCH', `${sources}/${id}`, { isOn: false })
    expect(off.body).toMatchObject({ isOn: false, chunks: 0, state: 'ready' })
    expect(await findsBy(owner, shop, 'hours')).toEqual([])
    expect((await owner.ask('POST', `${sources}/${id}/read`)).status).toBe(409)
    await owner.ask('PATCH', `${sources}/${id}`, { isOn: true })
    await world.service.processAll()
    expect(await findsBy(owner, shop, 'hours')).toEqual(['Hours'])
  })

  test('deleted it is gone, and its words with it', async () => {
    const { id } = await addText(world, owner, shop, { title: 'Hours', text: 'Nine to five.' })
    await addText(world, owner, shop, { title: 'Friday', text: 'Nine to noon.' })
    expect((await owner.ask('DELETE', `${sources}/${id}`)).status).toBe(204)
    expect(await findsBy(owner, shop, 'hours')).toEqual([])
    const { rows } = await world.service.context.db.pool.query<{ term: string; chunks: number }>(
      'select term, chunks from knowledge_term where company_id = $1 order by term',
      [shop.companyId],
    )
    const nine = rows.find(({ term }) => term === 'nine')
    expect(nine).toEqual({ term: 'nine', chunks: 1 })
    expect(rows.map(({ term }) => term)).not.toContain('hour')
  })

  test('of two that are deleted at once no word stays behind', async () => {
    const text = 'Rings of zirconium'
    const made = [
      await addText(world, owner, shop, { title: 'Rings', text }),
      await addText(world, owner, shop, { title: 'More rings', text }),
    ]
    const { pool } = world.database.db
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select from knowledge_term where company_id = $1 for update', [
      shop.companyId,
    ])
    const pid = await pidOf(holder)
    const deleting = made.map(({ id }) => owner.ask('DELETE', `${sources}/${id}`))
    await waitUntil('both wait', async () => (await countBlockedBy(pool, pid)) === 2)
    await holder.query('commit')
    holder.release()
    expect((await Promise.all(deleting)).map(({ status }) => status)).toEqual([204, 204])
    const { rows } = await pool.query('select term from knowledge_term where company_id = $1', [
      shop.companyId,
    ])
    expect(rows).toEqual([])
  })

  test('the text of a file is the file’s', async () => {
    const { body } = await uploadDocument(world, owner, shop, { name: 'a.txt', bytes: 'Nine.' })
    const answer = await owner.ask('PATCH', `${sources}/${body.id}`, { text: 'Ten.' })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      errors: [{ field: 'text', code: 'source_has_no_text_to_edit' }],
    })
  })

  test('a company has at most 1,000 sources', async () => {
    const { db, ids, clock } = world.service.context
    const now = clock.now()
    const rows = Array.from({ length: KNOWLEDGE_LIMITS.sources }, () => ({
      id: ids.uuid(),
      companyId: shop.companyId,
      kind: 'text',
      title: 'x',
      state: 'ready',
      createdAt: now,
      updatedAt: now,
    }))
    await db.kysely.insertInto('knowledgeSource').values(rows).execute()
    const answer = await owner.ask('POST', sources, { kind: 'text', title: 'one', text: 'more' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'limit_reached' })
    const { body } = await owner.ask<KnowledgeOverview>('GET', knowledgeOf(shop))
    expect(body).toMatchObject({ sources: 1_000, mostSources: 1_000, mostChunks: 20_000 })
    await db.kysely.deleteFrom('knowledgeSource').where('companyId', '=', shop.companyId).execute()
  })

  test('one whose pieces would be more than the company may have is not served', async () => {
    const { db, ids, clock } = world.service.context
    const now = clock.now()
    const full = { companyId: shop.companyId, kind: 'text', title: 'x', state: 'ready' }
    await db.kysely
      .insertInto('knowledgeSource')
      .values({
        ...full,
        id: ids.uuid(),
        chunkCount: KNOWLEDGE_LIMITS.chunks,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    const { id } = await addText(world, owner, shop, { title: 'one', text: 'more' })
    const { state, error } = await sourceOf(owner, shop, id)
    expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'chunks_full' })
    // With room for one it is served, and read again it takes its own place.
    const others = db.kysely.updateTable('knowledgeSource').where('title', '=', 'x')
    await others.set({ chunkCount: KNOWLEDGE_LIMITS.chunks - 1 }).execute()
    for (const text of ['more', 'and more']) {
      await owner.ask('PATCH', `${sources}/${id}`, { text })
      await world.service.processAll()
      expect(await sourceOf(owner, shop, id)).toMatchObject({ state: 'ready', chunks: 1 })
    }
  })

  test('of two that two nodes read at once for the last piece one is served', async () => {
    const { db, ids, clock } = world.service.context
    const now = clock.now()
    const text = 'Rings of zirconium'
    await addText(world, owner, shop, { title: 'Rings', text })
    const { companyId } = shop
    const made = ['one', 'two'].map((title) => {
      return { id: ids.uuid(), companyId, kind: 'text' as const, title, claimId: ids.uuid() }
    })
    const full = { id: ids.uuid(), companyId, kind: 'text', title: 'x', state: 'ready' }
    const at = { createdAt: now, updatedAt: now }
    await db.kysely
      .insertInto('knowledgeSource')
      .values([
        { ...full, ...at, chunkCount: KNOWLEDGE_LIMITS.chunks - 2 },
        ...made.map((row) => ({ ...row, ...at, state: 'reading', claimedUntil: now })),
      ])
      .execute()
    const holder = await db.pool.connect()
    await holder.query('begin')
    await holder.query('select from knowledge_term where company_id = $1 for update', [companyId])
    const pid = await pidOf(holder)
    const settling = made.map((row) => {
      const prepared = prepareSource(row.title, [{ kind: 'whole', text }])
      const none = { url: null, mediaType: null, chunkCount: 0, revision: 1, attempt: 1 }
      return settleRead({ db, ids }, { ...row, ...none }, { prepared, title: null, now })
    })
    await waitUntil('both wait', async () => (await countBlockedBy(db.pool, pid)) === 2)
    await holder.query('commit')
    holder.release()
    const refused = (await Promise.all(settling)).map((why) => why?.code ?? null)
    expect(refused.toSorted()).toEqual(['chunks_full', null])
  })

  test('the list is newest first, by pages and by kind', async () => {
    for (const title of ['one', 'two', 'three']) {
      await owner.ask('POST', sources, { kind: 'text', title, text: title })
    }
    await owner.ask('POST', sources, { kind: 'faq', question: 'four?', answer: 'four' })
    const first = await owner.ask<Page<SourceView>>('GET', `${sources}?kind=text&limit=2`)
    expect(first.body.items.map(({ title }) => title)).toEqual(['three', 'two'])
    const next = `${sources}?kind=text&limit=2&cursor=${first.body.nextCursor}`
    const second = await owner.ask<Page<SourceView>>('GET', next)
    expect(second.body.items.map(({ title }) => title)).toEqual(['one'])
    expect(second.body.nextCursor).toBeNull()
  })

  test('a source that a killed process had in hand is read once its lease has ended', async () => {
    const { db, clock } = world.service.context
    const { body } = await owner.ask<SourceView>('POST', sources, {
      kind: 'text',
      title: 'Hours',
      text: 'Nine to five.',
    })
    await db.kysely
      .updateTable('knowledgeSource')
      .set({
        claimId: '00000000-0000-7000-8000-000000000000',
        claimedUntil: new Date(clock.now().getTime() + 1_000),
        state: 'reading',
      })
      .where('id', '=', body.id)
      .execute()
    await world.service.processAll()
    expect((await sourceOf(owner, shop, body.id)).state).toBe('reading')
    world.clock.advance(1_001)
    await world.service.processAll()
    expect((await sourceOf(owner, shop, body.id)).state).toBe('ready')
  })

  test('one whose reading ends its process again and again is given up, until somebody asks', async () => {
    const { db } = world.service.context
    const source = { kind: 'text', title: 'Hours', text: 'Nine to five.' }
    const { body } = await owner.ask<SourceView>('POST', sources, source)
    const row = db.kysely.updateTable('knowledgeSource').where('id', '=', body.id)
    await row.set({ attempt: 3 }).execute()
    await world.service.processAll()
    const { state, error } = await sourceOf(owner, shop, body.id)
    expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'source_broken' })
    expect((await owner.ask('POST', `${sources}/${body.id}/read`)).status).toBe(202)
    await world.service.processAll()
    expect((await sourceOf(owner, shop, body.id)).state).toBe('ready')
  })

  test('what is changed while it is read is read anew, whatever comes of that reading', async () => {
    const { context } = world.service
    const { db, ids, clock } = context
    const source = { kind: 'text', title: 'Hours', text: 'Nine to five.' }
    const { body } = await owner.ask<SourceView>('POST', sources, source)
    const claim = { claimId: ids.uuid(), now: clock.now(), limit: 100, without: [] }
    const inHand = (await claimSources(db.kysely, claim)).find(({ id }) => id === body.id)!
    await owner.ask('PATCH', `${sources}/${body.id}`, { text: 'Ten to noon.' })
    const send = () => Promise.reject(new Error('nothing is fetched'))
    // One reading is whole, another gives up.
    for (const attempt of [1, 99]) {
      await readSource({ ...context, outbound: { send } }, { ...inHand, attempt })
      expect(await sourceOf(owner, shop, body.id)).toMatchObject({ state: 'waiting', chunks: 0 })
    }
    await world.service.processAll()
    expect(await findsBy(owner, shop, 'noon')).toEqual(['Hours'])
    expect(await findsBy(owner, shop, 'five')).toEqual([])
  })

  test('Agents see nothing of it, and another company neither finds nor sees it', async () => {
    const { id } = await addText(world, owner, shop, { title: 'Hours', text: 'Nine to five.' })
    const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
    expect((await agent.ask('GET', sources)).status).toBe(403)
    const other = await createShop(world, { phoneNumberId: '5551' })
    const stranger = await signedIn(world, other)
    expect(await findsBy(stranger, other, 'hours nine five')).toEqual([])
    const theirs = `${knowledgeOf(other)}/sources/${id}`
    expect((await stranger.ask('GET', theirs)).status).toBe(404)
    expect((await stranger.ask('DELETE', theirs)).status).toBe(404)
    expect((await stranger.ask('PATCH', theirs, { isOn: false })).status).toBe(404)
    expect((await stranger.ask('GET', `${sources}/${id}`)).status).toBe(404)
  })
})

describe('Assistant › Knowledge: synonyms', () => {
  test('who asks by a word finds what has its meaning, until it is deleted', async () => {
    await addText(world, owner, shop, { title: 'Karak', text: 'Tea with milk and cardamom.' })
    const synonyms = `${knowledgeOf(shop)}/synonyms`
    expect(await findsBy(owner, shop, 'شاهي عدني')).toEqual([])
    const set = await owner.ask('PUT', synonyms, { word: 'عدني', means: ['karak'] })
    expect(set.status).toBe(200)
    expect(await findsBy(owner, shop, 'فيه عدني؟')).toEqual(['Karak'])
    const { body } = await owner.ask<{ items: SynonymView[] }>('GET', synonyms)
    expect(body.items).toEqual([{ word: 'عدني', means: ['karak'] }])
    const gone = await owner.ask('POST', `${synonyms}/delete`, { word: 'عدني' })
    expect(gone.status).toBe(204)
    expect(await findsBy(owner, shop, 'فيه عدني؟')).toEqual([])
  })

  test.each([
    [{ word: 'two words', means: ['x'] }, 'word', 'synonym_not_one_word'],
    [{ word: '؟؟', means: ['x'] }, 'word', 'synonym_not_one_word'],
    [{ word: 'x', means: ['؟'] }, 'means', 'synonym_of_no_words'],
  ])('%j is refused', async (synonym, field, code) => {
    const answer = await owner.ask('PUT', `${knowledgeOf(shop)}/synonyms`, synonym)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ field, code }] })
  })
})
