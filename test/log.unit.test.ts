import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createLog } from '../src/infra/log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog(pino, 'debug', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

describe('the log', () => {
  test.each([
    'token',
    'secret',
    'secrets',
    'password',
    'credential',
    'credentials',
    'accessToken',
    'appSecret',
    'verifyToken',
    'authorization',
    'cookie',
  ])('censors the field %s at any depth, in lists, errors and names of headers', (field) => {
    const hushed = { [field]: 'hush', [field.toUpperCase()]: ['hush'], kept: 1 }
    const nested = { a: { b: [{ c: { d: { e: hushed } } }] } }
    const error = Object.assign(new Error('no'), { request: nested, ...hushed })
    const text = logged((log) => {
      log.info({ ...hushed, nested, err: error, cause: error }, 'said')
    })
    expect(text).not.toContain('hush')
    expect(text.split('[secret]')).toHaveLength(1 + 2 + 2 + 4 + 4)
    const line = JSON.parse(text)
    expect(line).toMatchObject({ msg: 'said', err: { message: 'no', type: 'Error' } })
    expect(line.nested.a.b[0].c.d.e).toMatchObject({ kept: 1 })
  })

  test('leaves out what is too deep, and ends in a cycle', () => {
    const cycle: Record<string, unknown> = { name: 'ring', at: new Date(0) }
    cycle['self'] = cycle
    const deep = Array.from({ length: 20 }).reduce<object>((inner) => ({ inner }), {
      word: 'bottom',
    })
    const text = logged((log) => log.info({ cycle, deep }, 'said'))
    expect(text).not.toContain('bottom')
    expect(text).toContain('[too deep]')
    expect(JSON.parse(text)).toMatchObject({
      msg: 'said',
      cycle: { name: 'ring', at: '1970-01-01T00:00:00.000Z', self: { name: 'ring' } },
    })
  })

  test('shows objects of classes by their name, however large they are', () => {
    class Connection {
      readonly socket = { connection: this, text: 'of a socket' }
    }
    const error = Object.assign(new Error('lost'), { client: new Connection() })
    const text = logged((log) => {
      log.warn(
        { err: error, of: { at: new URL('https://shop.example/a'), known: new Map() } },
        'no',
      )
    })
    expect(JSON.parse(text)).toMatchObject({
      err: { message: 'lost', client: '[Connection]' },
      of: { at: 'https://shop.example/a', known: '[Map]' },
    })
    expect(text).not.toContain('of a socket')
  })

  test('writes a line whatever its fields are', () => {
    const broken = {
      get now(): never {
        throw new Error('no')
      },
      toJSON(): never {
        throw new Error('no')
      },
    }
    const many = Array.from({ length: 1_000 }, (_, nth) => nth)
    const text = logged((log) => {
      log.warn({ err: 'plain text', broken, bytes: Buffer.alloc(1_000), many }, 'said')
      log.warn({ err: null }, 'said')
    })
    const [line, next] = text.trim().split('\n')
    expect(JSON.parse(line!)).toMatchObject({
      err: 'plain text',
      broken: '[unreadable]',
      bytes: '[1000 bytes]',
    })
    expect(JSON.parse(line!).many).toHaveLength(100)
    expect(JSON.parse(next!)).toMatchObject({ err: null, msg: 'said' })
  })

  test('shows each error of several', () => {
    const both = new AggregateError([Object.assign(new Error('one'), { token: 'hush' })], 'two')
    const text = logged((log) => log.error({ err: both }, 'no'))
    expect(JSON.parse(text).err.aggregateErrors).toMatchObject([{ message: 'one' }])
    expect(text).not.toContain('hush')
  })

  test('cuts hook tokens and signing secrets out of any text', () => {
    const token = `hook_${'A'.repeat(20)}-_${'b'.repeat(21)}`
    const secret = `whsec_${'c'.repeat(43)}`
    const request = `POST /hooks/${token} failed`
    const text = logged((log) => {
      log.warn(request)
      log.error({ err: new Error(`${secret} is wrong`), url: `https://x/hooks/${token}?a=1` }, 'no')
      log.info({ deep: { list: [{ a: { b: { c: token } } }] } })
    })
    expect(text).not.toMatch(/A{20}|b{21}|c{20}/)
    expect(text).toContain('POST /hooks/hook_[secret] failed')
    for (const line of text.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  })

  test('does not repeat the row that the database refused, which may hold what a customer wrote', () => {
    const refused = Object.assign(new Error('violates check constraint "message_check"'), {
      code: '23514',
      detail: 'Failing row contains (1, my daughter is ill).',
      table: 'message',
    })
    const deadlock = Object.assign(new Error('deadlock detected'), {
      code: '40P01',
      detail: 'Process 1 waits for ShareLock on transaction 2.',
    })
    const text = logged((log) => {
      log.error({ err: refused }, 'a request failed')
      log.error({ err: deadlock }, 'a request failed')
    })
    expect(text).not.toContain('my daughter')
    expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({
      err: { code: '23514', table: 'message', message: expect.stringContaining('message_check') },
    })
    expect(text).toContain('waits for ShareLock')
  })

  test('leaves ordinary words alone', () => {
    expect(logged((log) => log.info('hook_url and whsec_ are names'))).toContain(
      'hook_url and whsec_ are names',
    )
  })

  test('says nothing below its level', () => {
    const lines: string[] = []
    const log = createLog(pino, 'warn', { write: (line) => void lines.push(line) })
    log.info('quiet')
    log.warn('loud')
    expect(lines).toHaveLength(1)
  })
})
