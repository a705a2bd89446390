/** The chat's own side in a browser, in a Node that imitates one: what happens to written messages. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { waitUntil } from '../support/wait.ts'

type Unsent = { clientMessageId: string; text?: string; problem?: { detail: string } }
type Talk = { begin(): Promise<void>; say(words: object): void }
type Keeper = { unsent(): Unsent[]; keepUnsent(list: readonly object[]): void }

const PAGE = path.join(import.meta.dirname, '../../src/widget/page')
const load = async <Module>(name: string) =>
  (await import(pathToFileURL(path.join(PAGE, name)).href)) as Module
const { createTalk } = await load<{ createTalk(options: object): Talk }>('talk.js')
const { createKeeper } = await load<{ createKeeper(key: string, tell: () => void): Keeper }>(
  'storage.js',
)

const WORDS = { fileUnreadable: 'The file can no longer be read.' }
const SESSION = { visitorToken: 'key.token', visitor: null, messages: [], position: '1' }

/** The next answers of each address; the last answer stays. */
let answers: Record<string, (() => Promise<Response>)[]>
/** The messages that the service received, in their order. */
let said: { text?: string }[]
let states: string[]
let unsent: Unsent[]

const json = (value: unknown) => () => Promise.resolve(Response.json(value))
/** A response whose headers arrived before the connection ended. */
const cutOff = () =>
  Promise.resolve(
    new Response(new ReadableStream({ start: (body) => body.error(new TypeError('cut off')) })),
  )

beforeEach(() => {
  said = []
  states = []
  unsent = []
  answers = {
    '/sessions': [json(SESSION)],
    '/messages': [json({ id: 'm_1' })],
    '/tickets': [() => new Promise(() => {})],
  }
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      addEventListener() {}
      postMessage() {}
    },
  )
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('fetch', async (address: string, { body }: { body?: unknown }) => {
    const to = address.replace('/widget/v1', '').replace(/\?.*/, '')
    // A browser reads a file while it sends it.
    if (body instanceof Blob) await body.arrayBuffer()
    if (to === '/messages') said.push(JSON.parse(body as string) as { text?: string })
    const next = answers[to]!.length > 1 ? answers[to]!.shift()! : answers[to]![0]!
    return next()
  })
  // Timers fire immediately, so that retries need no waiting.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((go: () => void) =>
    setImmediate(go)) as never)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Creates a conversation as the page in the frame has it. */
function talkOf(): Talk {
  let token: string | null = null
  const keeper = {
    token: () => token,
    keepToken: (next: string) => void (token = next),
    unsent: () => [],
    keepUnsent: () => {},
  }
  const on = {
    session: () => {},
    lines: () => {},
    said: () => {},
    talked: () => {},
    unsent: (list: Unsent[]) => void (unsent = list),
    state: (word: string) => void states.push(word),
  }
  return createTalk({ setup: { key: 'key', language: 'en', words: WORDS }, keeper, on })
}

describe('A written message', () => {
  test('is sent again when the answer was cut off, and the chat is not closed for it', async () => {
    answers['/sessions']!.unshift(cutOff)
    answers['/messages']!.unshift(cutOff)
    const talk = talkOf()
    await talk.begin()
    expect(states).not.toContain('gone')
    talk.say({ text: 'Hello' })
    await waitUntil('the message to be said', () => said.length === 2 && unsent.length === 0)
    expect(said[1]).toEqual(said[0])
  })

  test('is sent with a file whose long name is cut within a letter', async () => {
    answers['/uploads'] = [json({ uploadId: 'u' })]
    const talk = talkOf()
    await talk.begin()
    talk.say({ file: new File(['x'], `👟${'a'.repeat(95)}.png`) })
    await waitUntil('the file to be said', () => said.length === 1)
    expect(said[0]).toMatchObject({ uploadId: 'u' })
  })

  test('does not wait behind a file that can no longer be read', async () => {
    const talk = talkOf()
    await talk.begin()
    const file = new File(['x'], 'shoe.png')
    vi.spyOn(file, 'arrayBuffer').mockRejectedValue(new DOMException('gone', 'NotFoundError'))
    talk.say({ file })
    talk.say({ text: 'Hello' })
    await waitUntil('the message to be said', () => said.length === 1)
    expect(said[0]).toMatchObject({ text: 'Hello' })
    await waitUntil('it to be known', () => unsent.length === 1)
    expect(unsent[0]!.problem!.detail).toBe(WORDS.fileUnreadable)
  })
})

test('An unsent message of one tab is kept when another tab has sent its own', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
  const [first, second] = [1, 2].map(() => createKeeper('key', () => {}))
  const [one, other] = ['one', 'other'].map((id) => ({ clientMessageId: id, text: id }))
  expect(second!.unsent()).toEqual([])
  first!.keepUnsent([one!])
  second!.keepUnsent([other!])
  second!.keepUnsent([])
  expect(createKeeper('key', () => {}).unsent()).toEqual([one])
  first!.keepUnsent([])
  expect(createKeeper('key', () => {}).unsent()).toEqual([])
})
