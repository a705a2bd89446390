import { describe, expect, test } from 'vitest'
import { isAllowedByRobots } from '../../../src/rules/knowledge/robots.ts'

const ROBOTS = `
User-agent: *
Disallow: /private
Disallow: /*.pdf$
Allow: /private/prices

User-agent: OtherBot
User-agent: WaslaBot/1.0
Disallow: /only-for-others
`

describe('robots.txt', () => {
  test('applies the service’s own group before that of all', () => {
    expect(isAllowedByRobots(ROBOTS, '/private')).toBe(true)
    expect(isAllowedByRobots(ROBOTS, '/only-for-others/x')).toBe(false)
  })

  test.each([
    ['/', true],
    ['/private', false],
    ['/private/rooms', false],
    ['/private/prices', true],
    ['/list.pdf', false],
    ['/list.pdf?x=1', true],
  ])('allows %s by the rules of all: %s', (path, isAllowed) => {
    const ofAll = ROBOTS.replaceAll('WaslaBot', 'SomeoneElse')
    expect(isAllowedByRobots(ofAll, path)).toBe(isAllowed)
  })

  test('reads a rule without a space before its path, with a comment, and after a line that is none', () => {
    const robots = 'User-agent:*\nAllow:/\nUser-agents\nDisallow:/private # not /public # nor /x'
    expect(isAllowedByRobots(robots, '/private')).toBe(false)
    expect(isAllowedByRobots(robots, '/rivate')).toBe(true)
  })

  test.each([
    ['/خاص', '/%D8%AE%D8%A7%D8%B5/prices'],
    ['/%d8%ae%d8%a7%d8%b5', '/%D8%AE%D8%A7%D8%B5'],
    ['/%D8%AE%D8%A7%D8%B5', '/%d8%ae%d8%a7%d8%b5'],
    ['/a b', '/a%20b'],
    ['/%70rivate', '/private'],
    ['/a%2Fb', '/a%2fb'],
  ])('refuses the path of the rule %s in any spelling: %s', (rule, path) => {
    expect(isAllowedByRobots(`User-agent: *\nDisallow: ${rule}`, path)).toBe(false)
  })

  test('keeps an encoded slash apart from one that separates folders', () => {
    expect(isAllowedByRobots('User-agent: *\nDisallow: /a%2Fb', '/a/b')).toBe(true)
  })

  test('allows everything when it is empty, has an empty rule, or is rubbish', () => {
    for (const robots of ['', 'User-agent: *\nDisallow:', '<html>no</html>', '\0\0\0']) {
      expect(isAllowedByRobots(robots, '/x')).toBe(true)
    }
  })
})
