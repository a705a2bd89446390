import { describe, expect, test } from 'vitest'
import { startCpuWatch } from '../../../test/support/stopwatch.ts'
import { mayRead } from './robots.ts'

const ROBOTS = `
User-agent: *
Disallow: /private
Disallow: /*.pdf$
Allow: /private/prices

User-agent: OtherBot
User-agent: WaslaBot/1.0
Disallow: /only-for-others
`

describe('What robots.txt lets us read', () => {
  test('our own group goes before that of all', () => {
    expect(mayRead(ROBOTS, '/private')).toBe(true)
    expect(mayRead(ROBOTS, '/only-for-others/x')).toBe(false)
  })

  test.each([
    ['/', true],
    ['/private', false],
    ['/private/rooms', false],
    ['/private/prices', true],
    ['/list.pdf', false],
    ['/list.pdf?x=1', true],
  ])('%s by the rules of all: %s', (path, isAllowed) => {
    const ofAll = ROBOTS.replaceAll('WaslaBot', 'SomeoneElse')
    expect(mayRead(ofAll, path)).toBe(isAllowed)
  })

  test('an empty file, an empty rule, and rubbish let everything', () => {
    for (const robots of ['', 'User-agent: *\nDisallow:', '<html>no</html>', '\0\0\0']) {
      expect(mayRead(robots, '/x')).toBe(true)
    }
  })

  test('a pattern of many stars is answered at once', () => {
    const robots = `User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$`
    const tookMs = startCpuWatch()
    expect(mayRead(robots, `/${'a'.repeat(4_000)}b`)).toBe(true)
    expect(tookMs()).toBeLessThan(1_000)
  })

  test.each([
    ['a value of spaces', `User-agent: *\nDisallow: /x${' '.repeat(200_000)}y`],
    [
      'names without end',
      `${Array.from({ length: 12_000 }, (_, at) => `User-agent: a${at}`).join('\n')}\nUser-agent: *\n${'Disallow: /x\n'.repeat(2_000)}`,
    ],
  ])('%s is answered at once', (_what, robots) => {
    const tookMs = startCpuWatch()
    expect(mayRead(robots, '/y')).toBe(true)
    expect(tookMs()).toBeLessThan(1_000)
  })
})
