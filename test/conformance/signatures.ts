import { verifySignature } from '../../examples/verify-signature.mjs'
import { signWebhook } from '../../src/modules/deliveries/signature.ts'
import type { ConformanceCase, Report } from './report.ts'

type SignCase = {
  id: string
  secrets: string[]
  t: number
  header: string
  body_hex?: string
  body_generator?: string
}
type VerifyCase = {
  id: string
  now: number
  header: string | null
  body_hex: string
  secrets: string[]
  valid: boolean
  optional?: boolean
}

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases as (SignCase | VerifyCase)[]) {
    if ('valid' in one) await report.check(one.id, () => verify(one), [one.valid])
    else await report.check(one.id, () => sign(one), [one.header])
  }
}

function sign({ body_hex, body_generator, secrets, t }: SignCase): string {
  const body = body_hex === undefined ? generate(body_generator) : hex(body_hex)
  return signWebhook(body, secrets, new Date(t * 1000))
}

function verify({ header, body_hex, secrets, now }: VerifyCase): boolean {
  return verifySignature({ header, body: hex(body_hex), secrets, now: new Date(now * 1000) })
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** Makes a long body from its description: texts in quotes and `U+XXXX`, each perhaps repeated, joined by `+`. */
function generate(description = ''): Buffer {
  const recipe = description.replace(/ encoded as UTF-8$/, '')
  let text = ''
  for (const part of recipe.split(' + ')) {
    const piece = /^'(U\+[0-9A-Fa-f]{4,6}|[^']*)'(?:\*(\d+))?$/.exec(part)
    if (piece === null) throw new Error(`no body can be made of: ${description}`)
    const literal = piece[1] ?? ''
    const character = literal.startsWith('U+')
      ? String.fromCodePoint(Number.parseInt(literal.slice(2), 16))
      : literal
    text += character.repeat(Number(piece[2] ?? 1))
  }
  return Buffer.from(text)
}
