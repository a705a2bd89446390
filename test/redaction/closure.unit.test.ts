/** Secrets in chains of encodings. A decoder that shares no code with the redactor searches its output. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createRandom } from '../support/random.ts'
import { shownOf } from '../support/shown-of-secret.ts'
import { systemTest } from '../support/system-tests.ts'
import { createRedactor, REMOVED } from '../../src/infra/redaction/redactor.ts'

const bytesOf = (text: string): number[] => [...Buffer.from(text)]
const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Ways in which a server writes a text. */
const ENCODINGS: Record<string, (text: string) => string> = {
  percent: encodeURIComponent,
  'percent, every byte': (text) =>
    bytesOf(text)
      .map((byte) => `%${hexOf(byte)}`)
      .join(''),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'JSON in ASCII': (text) => JSON.stringify({ echo: text }).replace(/[^ -~]/g, escaped),
  'JSON, every character': (text) => text.replace(/[^]/g, escaped),
  HTML: (text) => text.replace(/[&<>"'/]/g, (unit) => `&#x${unit.charCodeAt(0).toString(16)};`),
  'HTML, every character': (text) =>
    Array.from(text, (point) => `&#${point.codePointAt(0)};`).join(''),
  'quoted-printable': (text) =>
    bytesOf(text)
      .map((byte, at) => {
        const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x3d
        const unit = isPlain ? String.fromCharCode(byte) : `=${hexOf(byte).toUpperCase()}`
        return at % 20 === 19 ? `${unit}=\r\n` : unit
      })
      .join(''),
  Base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'Base64 in lines': (text) => Buffer.from(text).toString('base64').replace(/.{30}/g, '$&\r\n'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal with colons': (text) => bytesOf(text).map(hexOf).join(':').toUpperCase(),
  'list of bytes': (text) => JSON.stringify(bytesOf(text)),
  'gzip in Base64': (text) => gzipSync(text).toString('base64'),
}
const NAMES = Object.keys(ENCODINGS)

const SIGNS = [...'%\\&="+/ <>\'-_.:;?#']
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const ARABIC = [...'كلمةسرالمتجرشحنطلب٧٨٩']
const EMOJI = [...'😀🔑🇸🇦']
const ALPHABETS = [
  LETTERS,
  [...LETTERS, ...SIGNS],
  ARABIC,
  [...ARABIC, ...LETTERS, ...SIGNS, ...EMOJI],
]
const AROUND = [
  ...LETTERS,
  ...SIGNS.filter((sign) => !'%\\&='.includes(sign)),
  ...ARABIC,
  '"',
  '{',
  ',',
]

/** Draws a secret and a chain of encodings with text around each. Returns them with the result. */
function draw(random: () => number, depth: number) {
  const oneOf = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)]!
  const textOf = (alphabet: readonly string[], chars: number) =>
    Array.from({ length: chars }, () => oneOf(alphabet)).join('')
  const alphabet = oneOf(ALPHABETS)
  // Neither end is white space, which does not count.
  const secret = oneOf(LETTERS) + textOf(alphabet, 6 + Math.floor(random() * 50)) + oneOf(LETTERS)
  const chain: string[] = []
  let answer = secret
  for (let layer = 0; layer < depth; layer++) {
    const name = oneOf(NAMES)
    chain.push(name)
    const [before, after] = [
      textOf(AROUND, Math.floor(random() * 12)),
      textOf(AROUND, Math.floor(random() * 12)),
    ]
    answer = ENCODINGS[name]!(answer)
    answer = `${before}${answer}${after}`
  }
  return { secret, chain, answer }
}

/** Returns the first answer that shows a secret after redaction; null when none does. */
async function findLeak(tries: number, depth: number, name: string): Promise<object | null> {
  const random = createRandom(name)
  for (let number = 0; number < tries; number++) {
    const { secret, chain, answer } = draw(random, depth)
    const redactor = createRedactor([secret])
    const left = redactor.text(answer)
    const told = { secret, chain, answer, left }
    if (!left.includes(REMOVED)) return { what: 'nothing was removed', ...told }
    const shown = shownOf(secret, left)
    if (shown !== null) return { what: 'a part is left', shown, ...told }
    if (redactor.text(left) !== left) return { what: 'more goes the second time', ...told }
    if (number % 50 === 49) await nextTurn()
  }
  return null
}

/** The full size is `TRIES=100000`, which takes minutes. */
const TRIES = Number(process.env.TRIES ?? 3_000)

test.each([1, 2, 3])('No secret is left in an answer through %i encodings', async (depth) => {
  expect(await findLeak(150, depth, `encodings ${depth}`)).toBeNull()
})

systemTest(
  `No secret is left through any two encodings, and any three, in ${TRIES} tries`,
  async () => {
    expect(await findLeak(TRIES, 2, 'two encodings')).toBeNull()
    expect(await findLeak(TRIES / 2, 3, 'three encodings')).toBeNull()
  },
  TRIES * 20 + 60_000,
)
