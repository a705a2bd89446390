/** Voice notes that are heard, and photos that are shown. Spec: Assistant › Media. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReplyDetail } from '../../src/contract/dashboard/assistant-reply.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'
import {
  heardBy,
  startAssisted,
  toldTo,
  type Assisted,
  type AssistedShop,
  type Customer,
} from '../support/assistant.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import type { AskedOfModel } from '../support/model-server.ts'
import { call, refuse, say } from '../support/model-turns.ts'
import { picture, voiceNote } from '../support/recordings.ts'
import { connectApi, json, startShopApi } from '../support/shop-api.ts'
import { waitUntil } from '../support/wait.ts'
import { systemTest } from '../support/system-tests.ts'

let assisted: Assisted
let shop: AssistedShop
let owner: Member

beforeAll(async () => {
  assisted = await startAssisted()
  shop = await assisted.openShop({ settings: { transcribes: true, readsImages: true } })
  owner = await signedIn(assisted.world, { accountId: shop.accountId })
})
afterAll(() => assisted.close())
beforeEach(() => {
  assisted.model.asked.length = 0
  assisted.model.heard.length = 0
  assisted.can = { transcriptionModel: 'whisper-1', readsImages: true }
})

const asked = () => assisted.model.asked
const heard = () => assisted.model.heard
const MEGABYTE = 1_048_576

/** The file is fetched; no time goes by. */
async function speaks(customer: Customer, bytes = voiceNote(7)): Promise<void> {
  await customer.sendsFile({ type: 'audio', mimeType: 'audio/ogg; codecs=opus', bytes })
  await assisted.pass(0)
}

async function shows(customer: Customer, bytes: Buffer, caption?: string): Promise<void> {
  const captioned = caption === undefined ? {} : { caption }
  await customer.sendsFile({ type: 'image', mimeType: 'image/jpeg', bytes, ...captioned })
  await assisted.pass(0)
}

const HANDED_OVER = [{ reason: 'unsupported_media', reasonText: null, detail: null }]

describe('A voice note', () => {
  test('is written down and answered, and staff reads what was heard', async () => {
    const sara = shop.customer()
    assisted.model.scriptHeard(say('كم سعر التوصيل؟'))
    assisted.model.script(say('التوصيل مجاني.'))
    await speaks(sara)
    await assisted.pass(3_000)
    expect(toldTo(asked()[0]!)).toContain('(A voice note, as it was heard:) كم سعر التوصيل؟')
    expect(await sara.got()).toEqual(['التوصيل مجاني.'])
    expect(heard()).toHaveLength(1)
    expect(heard()[0]!.form).toEqual({
      model: 'whisper-1',
      response_format: 'json',
      file: voiceNote(7).toString('latin1'),
      fileName: 'voice.ogg',
    })
    const { id } = await sara.conversation()
    const at = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}`
    const timeline = await owner.ask<{ items: object[] }>('GET', `${at}/timeline`)
    expect(timeline.body.items).toContainEqual(
      expect.objectContaining({ type: 'audio', text: null, transcript: 'كم سعر التوصيل؟' }),
    )
    const [reply] = await sara.replies()
    const path = `/companies/${shop.companyId}/assistant/replies/${reply!.id}`
    const { body } = await owner.ask<ReplyDetail>('GET', path)
    expect(body.steps[0]).toMatchObject({ kind: 'hear', state: 'done', name: 'scripted' })
  })

  systemTest('is written down while more is gathered, and a slow one is waited for', async () => {
    const sara = shop.customer()
    assisted.model.scriptHeard(say('Do you have it in blue?'))
    await speaks(sara)
    await assisted.pass(1_000)
    expect(heard()).toHaveLength(1)
    expect(asked()).toHaveLength(0)
    await sara.says('The small one')
    await assisted.pass(3_000)
    expect(heardBy(asked()[0]!)).toEqual([
      '(A voice note, as it was heard:) Do you have it in blue?',
      'The small one',
    ])
    const release = assisted.model.hold()
    assisted.model.scriptHeard(say('And in red?'))
    const settled = speaks(sara).then(() => assisted.pass(1_000))
    await waitUntil('it is heard', () => heard().length === 2)
    assisted.world.clock.advance(14_000)
    release()
    await settled
    expect(heardBy(asked()[1]!).at(-1)).toBe('(A voice note, as it was heard:) And in red?')
  })

  systemTest('that asks for a person is handed over, and no model is asked', async () => {
    const sara = shop.customer()
    assisted.model.scriptHeard(say('ابغى اكلم موظف'))
    await speaks(sara)
    await assisted.pass(3_000)
    expect(asked()).toHaveLength(0)
    expect(await sara.handovers()).toMatchObject([{ reason: 'customer_asked_for_person' }])
    expect(await sara.got()).toHaveLength(1)
  })

  test('that cannot be written down is handed over with one sentence', async () => {
    const sara = shop.customer()
    assisted.model.scriptHeard(refuse(500))
    await speaks(sara)
    await assisted.pass(3_000)
    expect(heard()).toHaveLength(1)
    expect(asked()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
    expect(await sara.got()).toHaveLength(1)
  })

  systemTest('that cannot be written down, beside a text: the text is answered', async () => {
    const sara = shop.customer()
    assisted.model.scriptHeard(say(''))
    await speaks(sara)
    assisted.world.clock.advance(100)
    await sara.says('Where are you?')
    await assisted.pass(3_000)
    expect(heardBy(asked()[0]!)).toEqual([
      '(The customer sent a voice note that you cannot hear.)',
      'Where are you?',
    ])
    expect(await sara.handovers()).toEqual([])
  })

  systemTest('the fifth of a reply is not heard any more', async () => {
    const sara = shop.customer()
    for (let nth = 1; nth <= 5; nth += 1) {
      assisted.model.scriptHeard(say(`Question ${nth}`))
      await speaks(sara, voiceNote(nth))
      assisted.world.clock.advance(100)
    }
    await assisted.pass(3_000)
    expect(heard()).toHaveLength(4)
    expect(heardBy(asked()[0]!).at(-1)).toBe(
      '(The customer sent a voice note that you cannot hear.)',
    )
  })

  systemTest.each([
    ['longer than three minutes', () => voiceNote(181)],
    ['larger than 5 MB', () => Buffer.concat([voiceNote(7), Buffer.alloc(5 * MEGABYTE)])],
  ])('that is %s is sent nowhere', async (_what, bytes) => {
    const sara = shop.customer()
    await speaks(sara, bytes())
    await assisted.pass(3_000)
    expect(heard()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
  })

  test.each([
    ['the company has not switched it on', { transcribes: false }, 'whisper-1'],
    ['no model can', { transcribes: true }, null],
  ])('is sent nowhere where %s', async (_why, settings, transcriptionModel) => {
    const other = await assisted.openShop({ settings })
    assisted.can = { transcriptionModel }
    const sara = other.customer()
    await speaks(sara)
    await assisted.pass(3_000)
    expect(heard()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
  })

  test('that is heard too late changes nothing: staff has the conversation', async () => {
    const sara = shop.customer()
    const release = assisted.model.hold()
    assisted.model.scriptHeard(say('كم سعر التوصيل؟'))
    const settled = speaks(sara).then(() => assisted.pass(1_000))
    await waitUntil('it is heard', () => heard().length === 1)
    const { kysely } = assisted.world.database.db
    // Its process is taken for dead, and another takes the reply on.
    const { id } = await sara.conversation()
    const reply = kysely.updateTable('assistantReply').where('conversationId', '=', id)
    await reply.set({ claimId: null, claimedUntil: null }).execute()
    assisted.world.clock.advance(20 * SECOND_MS)
    await waitUntil('it is handed over', async () => {
      void assisted.world.service.processAll()
      return (await sara.handovers()).length === 1
    })
    release()
    await settled
    await assisted.whatsApp.settle()
    expect(await sara.handovers()).toEqual(HANDED_OVER)
    const message = await kysely
      .selectFrom('message')
      .select('transcript')
      .where('conversationId', '=', id)
      .where('direction', '=', 'in')
      .executeTakeFirstOrThrow()
    expect(message.transcript).toBeNull()
  })

  systemTest('«نعم» agrees to nothing: asked once more, to write or press', async () => {
    const api = await startShopApi(assisted.world)
    api.reply(json(200, { order: { status: 'cancelled' } }))
    const id = assisted.world.service.context.ids.uuid()
    await connectApi(assisted.world, { id, companyId: shop.companyId, baseUrl: api.baseUrl })
    const made = await owner.ask('POST', `/companies/${shop.companyId}/actions`, {
      toolName: 'cancel_order',
      description: 'Cancels an order.',
      request: actionRequest(id, {
        method: 'POST',
        path: '/cancel',
        body: '{"order":"{{args.order}}"}',
      }),
      parameters: [ORDER],
      shown: [{ label: 'Status', path: 'order.status' }],
      statement: { en: null, ar: 'سألغي الطلب {{args.order}}. هل توافق؟' },
    })
    expect(made.status).toBe(201)
    const sara = shop.customer()
    assisted.model.script(call('action_cancel_order', { order: '1043' }), say('حسنًا.'))
    await sara.says('ألغِ الطلب 1043 من فضلك')
    await assisted.pass(3_000)
    expect((await sara.got()).at(-1)).toBe('سألغي الطلب 1043. هل توافق؟')
    assisted.model.scriptHeard(say('نعم'))
    assisted.model.script(say('لم يتضح لي جوابك.'))
    await speaks(sara)
    await assisted.pass(3_000)
    expect(heard()).toHaveLength(1)
    expect(api.requests).toHaveLength(0)
    expect((await sara.got()).at(-1)).toBe('سألغي الطلب 1043. هل توافق؟')
    await api.close()
  })
})

/** Pictures that the model was given, as their names. */
function seenBy({ body }: AskedOfModel): string[] {
  return body.messages.flatMap(({ content }) => {
    if (!Array.isArray(content)) return []
    return (content as { image_url?: { url: string } }[]).flatMap(({ image_url: image }) => {
      const [type, bytes] = (image?.url ?? '').split(',')
      if (bytes === undefined) return []
      expect(type).toBe('data:image/jpeg;base64')
      return Buffer.from(bytes, 'base64').subarray(4).toString()
    })
  })
}

describe('A photo', () => {
  systemTest('is shown with its caption, and not again with what is asked later', async () => {
    const sara = shop.customer()
    await shows(sara, picture('a dress'), 'do you have this in blue?')
    await assisted.pass(3_000)
    expect(seenBy(asked()[0]!)).toEqual(['a dress'])
    expect(toldTo(asked()[0]!)).toContain(
      '(The customer sent this photo.) do you have this in blue?',
    )
    expect(toldTo(asked()[0]!)).not.toContain('cannot see')
    await sara.says('And in red?')
    await assisted.pass(3_000)
    expect(seenBy(asked()[1]!)).toEqual([])
  })

  systemTest('alone is answered', async () => {
    const sara = shop.customer()
    assisted.model.script(say('هذا فستاننا الأزرق.'))
    await shows(sara, picture('a dress'))
    await assisted.pass(3_000)
    expect(seenBy(asked()[0]!)).toEqual(['a dress'])
    expect(await sara.got()).toEqual(['هذا فستاننا الأزرق.'])
  })

  test('is waited for until its file is there', async () => {
    const sara = shop.customer()
    assisted.model.script(say('هذا فستاننا الأزرق.'))
    await sara.sendsFile({ type: 'image', mimeType: 'image/jpeg', bytes: picture('a dress') })
    await assisted.world.database.db.kysely
      .updateTable('file')
      .set({ dueAt: new Date(assisted.world.clock.now().getTime() + 10 * SECOND_MS) })
      .where('state', '=', 'awaited')
      .execute()
    await assisted.pass(9 * SECOND_MS)
    expect(asked()).toHaveLength(0)
    await assisted.pass(SECOND_MS)
    await assisted.pass(2 * SECOND_MS)
    expect(asked().map(seenBy)).toEqual([['a dress']])
  })

  systemTest('of five the newest four are shown', async () => {
    const sara = shop.customer()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await shows(sara, picture(name))
      assisted.world.clock.advance(100)
    }
    await assisted.pass(3_000)
    expect(seenBy(asked()[0]!)).toEqual(['b', 'c', 'd', 'e'])
  })

  test('that the model refuses: it is asked without', async () => {
    const sara = shop.customer()
    assisted.model.script(refuse(400), say('I cannot see it.'))
    await shows(sara, picture('broken'), 'how much is it?')
    await assisted.pass(3_000)
    expect(asked().map(seenBy)).toEqual([['broken'], []])
    expect(toldTo(asked()[1]!)).toContain('a photo that you cannot see')
    expect(await sara.got()).toEqual(['I cannot see it.'])
  })

  test.each([
    ['is larger than 5 MB', () => Buffer.concat([picture('x'), Buffer.alloc(5 * MEGABYTE)])],
    ['is no picture, whatever it is called', () => Buffer.from('<svg onload="x">')],
  ])('that %s is shown to nobody', async (_what, bytes) => {
    const sara = shop.customer()
    await shows(sara, bytes(), 'how much is it?')
    await assisted.pass(3_000)
    expect(seenBy(asked()[0]!)).toEqual([])
    expect(toldTo(asked()[0]!)).toContain('a photo that you cannot see')
  })

  test.each([
    ['the company has not switched it on', { readsImages: false }, true],
    ['no model can', { readsImages: true }, false],
  ])('is shown to nobody where %s', async (_why, settings, readsImages) => {
    const other = await assisted.openShop({ settings })
    assisted.can = { readsImages }
    const sara = other.customer()
    await shows(sara, picture('a dress'))
    await assisted.pass(3_000)
    expect(asked()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
  })
})
