import { describe, expect, test } from 'vitest'
import { mayRead } from '../../../src/rules/knowledge/robots.ts'

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
})
