/**
 * Files on Telegram: a sent file is never sent again, and a picture that is refused as a photo is sent as a document.
 * Spec: Files › Sending.
 */
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import type { FileToSend, Outbound } from '../../src/modules/channels/channel-adapter.ts'
import { createProviderClient } from '../../src/modules/channels/provider/provider-client.ts'
import { sendMessage } from '../../src/modules/channels/telegram/send.ts'
import { startSimulators } from '../../simulators/index.ts'
import { createMovedClock } from '../support/moved-clock.ts'
import { PNG } from '../support/upload-file.ts'

const TOKEN = '78:AAHofTheFiles'
const CHAT = { botId: '78', personId: '2222222' }
const PICTURE: Outbound = {
  kind: 'media',
  fileId: 'f1',
  mediaKind: 'image',
  caption: 'Look',
  fileName: null,
}

const client = createProviderClient()
const clock = createMovedClock()
const bots = [{ token: TOKEN, name: 'Bot', username: 'bot' }]
const people = [{ id: CHAT.personId, firstName: 'Sara' }]
const { telegram, close } = await startSimulators({ clock }, { telegram: { bots, people } })
telegram.sendText(CHAT, 'hello')
afterAll(async () => {
  await client.close()
  await close()
})

/** Creates a picture, with the id that is stored for it. */
function createFile(more: Partial<FileToSend> = {}) {
  const file: FileToSend & { reads: number } = {
    id: 'f1',
    mediaType: 'image/png',
    size: PNG.length,
    name: null,
    reads: 0,
    read() {
      file.reads += 1
      return Promise.resolve(Readable.from([PNG]))
    },
    providerMediaId: null,
    remember(id) {
      file.providerMediaId = id
      return Promise.resolve()
    },
    forget: () => Promise.resolve(false),
    ...more,
  }
  return file
}

const send = (file: FileToSend, message = PICTURE) => {
  const connection = { baseUrl: telegram.baseUrl, botToken: TOKEN }
  return sendMessage(client, connection, { providerUserId: CHAT.personId }, message, file)
}
const refuse = (method: string, description: string, code = 400) =>
  telegram.planFault(CHAT.botId, method, { refuse: { code, description } })

/** Returns the files and texts that arrive during an action, with Telegram's kinds. */
async function arriving<T>(doIt: () => Promise<T>) {
  const before = telegram.chat(CHAT).length
  const result = await doIt()
  const arrived = telegram.chat(CHAT).slice(before)
  return { result, arrived: arrived.map(({ file, text }) => [file?.kind, text]) }
}

test('A sent file counts as sent, even if its id at Telegram cannot be stored', async () => {
  const file = createFile({ remember: () => Promise.reject(new Error('the database is away')) })
  const { result, arrived } = await arriving(() => send(file))
  expect(result).toMatchObject({ outcome: 'accepted' })
  expect(arrived).toEqual([['image', 'Look']])
})

describe('A picture that Telegram refuses as a photo', () => {
  const REASONS = ['PHOTO_INVALID_DIMENSIONS', 'IMAGE_PROCESS_FAILED', 'PHOTO_EXT_INVALID']
  test.each(REASONS)('is sent as a document, and uploaded once: %s', async (why) => {
    const file = createFile()
    refuse('sendPhoto', `Bad Request: ${why}`)
    const first = await arriving(() => send(file))
    expect(first.result).toMatchObject({ outcome: 'accepted' })
    expect(first.arrived).toEqual([['document', 'Look']])
    expect(file.reads).toBe(2)
    // Telegram would refuse it as a photo again.
    refuse('sendPhoto', `Bad Request: ${why}`)
    const again = await arriving(() => send(file))
    expect(again.result).toMatchObject({ outcome: 'accepted' })
    expect(again.arrived).toEqual([['document', 'Look']])
    expect(file.reads).toBe(2)
    // The refusal of this test still waits for a photo, which this send uses up.
    await send(createFile())
  })

  test('fails if it is refused as a document too', async () => {
    refuse('sendPhoto', 'Bad Request: PHOTO_INVALID_DIMENSIONS')
    refuse('sendDocument', 'Bad Request: the document is strange')
    const { result, arrived } = await arriving(() => send(createFile()))
    expect(result).toMatchObject({ outcome: 'refused', error: { class: 'content' } })
    expect(arrived).toEqual([])
  })

  test.each([
    ['any other reason', 400, 'Bad Request: message caption is too long'],
    ['an internal error of Telegram', 500, 'Internal Server Error: PHOTO_SAVE_FAILED'],
  ])('is not tried again after %s', async (_, code, description) => {
    const file = createFile()
    refuse('sendPhoto', description, code)
    const { result, arrived } = await arriving(() => send(file))
    expect(result.outcome).toBe(code === 400 ? 'refused' : 'unknown')
    expect(arrived).toEqual([])
    expect(file.reads).toBe(1)
  })

  test('is never sent again if the answer to the document is lost', async () => {
    refuse('sendPhoto', 'Bad Request: PHOTO_INVALID_DIMENSIONS')
    telegram.planFault(CHAT.botId, 'sendDocument', 'lose_answer')
    const { result, arrived } = await arriving(() => send(createFile()))
    expect(result).toEqual({ outcome: 'unknown' })
    expect(arrived).toEqual([['document', 'Look']])
  })
})
