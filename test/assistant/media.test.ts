/** Voice notes that are transcribed, and photos that the model sees. Spec: Assistant › Media. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SECOND_MS } from '../../src/core/limits/units.ts'
import { heardBy, openAssisted, toldTo } from '../support/assistant.ts'
import { signedIn } from '../support/dashboard.ts'
import type { AskedOfModel } from '../support/model-server.ts'
import { call, refuse, say } from '../support/model-turns.ts'
import { picture, voiceNote } from '../support/recordings.ts'
import { releaseReplies } from '../support/records/assistant.ts'
import { filesOf, putFile } from '../support/records/files.ts'
import { messagesOf } from '../support/records/messages.ts'
import { json, startShopApi } from '../support/shop-api.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { waitUntil } from '../support/wait.ts'
import { connectActions, POST_ORDER } from './tooled-shop.ts'

const assisted = await openAssisted()
const { world } = assisted
const shop = await assisted.openShop({ settings: { transcribes: true, readsImages: true } })
beforeEach(() => {
  assisted.model.heard.length = 0
  assisted.can = { transcriptionModel: 'whisper-1', readsImages: true }
})

const modelRequests = () => assisted.model.asked
const heard = () => assisted.model.heard
const MEGABYTE = 1_048_576

/** Sends a voice note of a customer, whose file is fetched, and lets time pass. */
async function speaks({ bytes = voiceNote(7), sara = shop.customer(), passes = 3_000 } = {}) {
  await sara.sendsFile({ type: 'audio', mimeType: 'audio/ogg; codecs=opus', bytes })
  await assisted.pass(0)
  await assisted.pass(passes)
  return sara
}

/** Sends a photo of a customer, whose file is fetched, and lets time pass. */
async function shows(
  bytes: Buffer,
  caption?: string,
  { sara = shop.customer(), passes = 3_000 } = {},
) {
  const captioned = caption === undefined ? {} : { caption }
  await sara.sendsFile({ type: 'image', mimeType: 'image/jpeg', bytes, ...captioned })
  await assisted.pass(0)
  await assisted.pass(passes)
  return sara
}

const HEARD = '(A voice note, as it was heard:)'
const NOT_HEARD = '(The customer sent a voice note that you cannot hear.)'
const HANDED_OVER = [{ reason: 'unsupported_media', reasonText: null, detail: null }]

describe('A voice note', () => {
  systemTest('is transcribed and answered, and staff can read the transcript', async () => {
    assisted.model.scriptHeard(say('كم سعر التوصيل؟'))
    assisted.model.script(say('التوصيل مجاني.'))
    const sara = await speaks()
    expect(toldTo(modelRequests()[0]!)).toContain(`${HEARD} كم سعر التوصيل؟`)
    expect(await sara.got()).toEqual(['التوصيل مجاني.'])
    expect(heard().map(({ form }) => form)).toEqual([
      {
        model: 'whisper-1',
        response_format: 'json',
        file: voiceNote(7).toString('latin1'),
        fileName: 'voice.ogg',
      },
    ])
    const { id } = await sara.conversation()
    const owner = await signedIn(world, shop)
    const at = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}`
    const timeline = await owner.ask<{ items: object[] }>('GET', `${at}/timeline`)
    expect(timeline.body.items).toContainEqual(
      expect.objectContaining({ type: 'audio', text: null, transcript: 'كم سعر التوصيل؟' }),
    )
    const { steps } = await sara.trace()
    expect(steps[0]).toMatchObject({ kind: 'hear', state: 'done', name: 'scripted' })
  })

  systemTest(
    'is transcribed while messages are gathered, and a slow transcription is waited for',
    async () => {
      assisted.model.scriptHeard(say('Do you have it in blue?'))
      const sara = await speaks({ passes: 1_000 })
      expect(heard()).toHaveLength(1)
      expect(modelRequests()).toHaveLength(0)
      await sara.asks('The small one')
      expect(heardBy(modelRequests()[0]!)).toEqual([
        `${HEARD} Do you have it in blue?`,
        'The small one',
      ])
      const release = assisted.model.hold()
      assisted.model.scriptHeard(say('And in red?'))
      const settled = speaks({ sara, passes: 1_000 })
      await waitUntil('it is heard', () => heard().length === 2)
      world.clock.advance(14_000)
      release()
      await settled
      expect(heardBy(modelRequests()[1]!).at(-1)).toBe(`${HEARD} And in red?`)
    },
  )

  systemTest('with a request for a person is handed over, and no model is asked', async () => {
    assisted.model.scriptHeard(say('ابغى اكلم موظف'))
    const sara = await speaks()
    expect(modelRequests()).toHaveLength(0)
    expect(await sara.handovers()).toMatchObject([{ reason: 'customer_asked_for_person' }])
    expect(await sara.got()).toHaveLength(1)
  })

  test('without a transcript is handed over with one sentence', async () => {
    assisted.model.scriptHeard(refuse(500))
    const sara = await speaks()
    expect(heard()).toHaveLength(1)
    expect(modelRequests()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
    expect(await sara.got()).toHaveLength(1)
  })

  systemTest(
    'without a transcript next to a text does not keep the text from being answered',
    async () => {
      assisted.model.scriptHeard(say(''))
      const sara = await speaks({ passes: 100 })
      await sara.asks('Where are you?')
      expect(heardBy(modelRequests()[0]!)).toEqual([NOT_HEARD, 'Where are you?'])
      expect(await sara.handovers()).toEqual([])
    },
  )

  systemTest('is transcribed only if it is among the first four of a reply', async () => {
    const sara = shop.customer()
    for (let nth = 1; nth <= 5; nth += 1) {
      assisted.model.scriptHeard(say(`Question ${nth}`))
      await speaks({ sara, bytes: voiceNote(nth), passes: 100 })
    }
    await assisted.pass(3_000)
    expect(heard()).toHaveLength(4)
    expect(heardBy(modelRequests()[0]!).at(-1)).toBe(NOT_HEARD)
  })

  systemTest.each([
    ['longer than three minutes', () => voiceNote(181)],
    ['larger than 5 MB', () => Buffer.concat([voiceNote(7), Buffer.alloc(5 * MEGABYTE)])],
  ])('%s is not transcribed', async (_what, bytes) => {
    const sara = await speaks({ bytes: bytes() })
    expect(heard()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
  })

  systemTest.each([
    ['the company has not switched it on', { transcribes: false }, 'whisper-1'],
    ['no model can', { transcribes: true }, null],
  ])('is not transcribed when %s', async (_why, settings, transcriptionModel) => {
    const other = await assisted.openShop({ settings })
    assisted.can = { transcriptionModel }
    const sara = await speaks({ sara: other.customer() })
    expect(heard()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
  })

  systemTest('with a late transcript changes nothing once staff has the conversation', async () => {
    const sara = shop.customer()
    const release = assisted.model.hold()
    assisted.model.scriptHeard(say('كم سعر التوصيل؟'))
    const settled = speaks({ sara, passes: 1_000 })
    await waitUntil('it is heard', () => heard().length === 1)
    // The reply is released as if its process were dead, so that another takes it over.
    const { id: conversationId } = await sara.conversation()
    await releaseReplies(world, conversationId)
    world.clock.advance(20 * SECOND_MS)
    await waitUntil('it is handed over', async () => {
      void world.service.processAll()
      return (await sara.handovers()).length === 1
    })
    release()
    await settled
    await assisted.whatsApp.settle()
    expect(await sara.handovers()).toEqual(HANDED_OVER)
    const received = await messagesOf(world, { conversationId, direction: 'in' })
    expect(received).toMatchObject([{ transcript: null }])
  })

  systemTest(
    'with «نعم» agrees to nothing, and the customer is asked to write or press',
    async () => {
      const api = await startShopApi(world)
      api.reply(json(200, { order: { status: 'cancelled' } }))
      const { add } = await connectActions(world, shop, api)
      await add({
        toolName: 'cancel_order',
        request: POST_ORDER,
        shown: [{ label: 'Status', path: 'order.status' }],
        statement: { en: null, ar: 'سألغي الطلب {{args.order}}. هل توافق؟' },
      })
      const STATEMENT = 'سألغي الطلب 1043. هل توافق؟'
      const cancel = call('action_cancel_order', { order: '1043' })
      const sara = await shop.asked('ألغِ الطلب 1043 من فضلك', cancel, say('حسنًا.'))
      expect((await sara.got()).at(-1)).toBe(STATEMENT)
      assisted.model.scriptHeard(say('نعم'))
      assisted.model.script(say('لم يتضح لي جوابك.'))
      await speaks({ sara })
      expect(heard()).toHaveLength(1)
      expect(api.requests).toHaveLength(0)
      expect((await sara.got()).at(-1)).toBe(STATEMENT)
      await api.close()
    },
  )
})

/** Returns the names of the pictures that the model got. */
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
  systemDescribe('for the model', () => {
    test('comes with its caption, and not again with later questions', async () => {
      const sara = await shows(picture('a dress'), 'do you have this in blue?')
      expect(seenBy(modelRequests()[0]!)).toEqual(['a dress'])
      expect(toldTo(modelRequests()[0]!)).toContain(
        '(The customer sent this photo.) do you have this in blue?',
      )
      expect(toldTo(modelRequests()[0]!)).not.toContain('cannot see')
      await sara.asks('And in red?')
      expect(seenBy(modelRequests()[1]!)).toEqual([])
    })

    test('is answered alone', async () => {
      assisted.model.script(say('هذا فستاننا الأزرق.'))
      const sara = await shows(picture('a dress'))
      expect(seenBy(modelRequests()[0]!)).toEqual(['a dress'])
      expect(await sara.got()).toEqual(['هذا فستاننا الأزرق.'])
    })

    test('is among the newest four of five', async () => {
      const sara = shop.customer()
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await shows(picture(name), undefined, { sara, passes: 100 })
      }
      await assisted.pass(3_000)
      expect(seenBy(modelRequests()[0]!)).toEqual(['b', 'c', 'd', 'e'])
    })
  })

  test('is waited for until its file has arrived', async () => {
    const bytes = picture('a dress')
    assisted.model.script(say('هذا فستاننا الأزرق.'))
    await shop.customer().sendsFile({ type: 'image', mimeType: 'image/jpeg', bytes })
    const file = (await filesOf(world, shop)).findLast(({ state }) => state === 'awaited')
    const dueAt = new Date(world.clock.now().getTime() + 10 * SECOND_MS)
    await putFile(world, file!.id, { dueAt })
    await assisted.pass(9 * SECOND_MS)
    expect(modelRequests()).toHaveLength(0)
    await assisted.pass(SECOND_MS)
    await assisted.pass(2 * SECOND_MS)
    expect(modelRequests().map(seenBy)).toEqual([['a dress']])
  })

  test('refused by the model leads to a request without it', async () => {
    assisted.model.script(refuse(400), say('I cannot see it.'))
    const sara = await shows(picture('broken'), 'how much is it?')
    expect(modelRequests().map(seenBy)).toEqual([['broken'], []])
    expect(toldTo(modelRequests()[1]!)).toContain('a photo that you cannot see')
    expect(await sara.got()).toEqual(['I cannot see it.'])
  })

  test.each([
    ['is larger than 5 MB', () => Buffer.concat([picture('x'), Buffer.alloc(5 * MEGABYTE)])],
    ['is no picture, whatever it is called', () => Buffer.from('<svg onload="x">')],
  ])('is not shown to the model if it %s', async (_what, bytes) => {
    await shows(bytes(), 'how much is it?')
    expect(seenBy(modelRequests()[0]!)).toEqual([])
    expect(toldTo(modelRequests()[0]!)).toContain('a photo that you cannot see')
  })

  test.each([
    ['the company has not switched it on', { readsImages: false }, true],
    ['no model can', { readsImages: true }, false],
  ])('is not shown to the model when %s', async (_why, settings, readsImages) => {
    const other = await assisted.openShop({ settings })
    assisted.can = { readsImages }
    const sara = await shows(picture('a dress'), undefined, { sara: other.customer() })
    expect(modelRequests()).toHaveLength(0)
    expect(await sara.handovers()).toEqual(HANDED_OVER)
  })
})
