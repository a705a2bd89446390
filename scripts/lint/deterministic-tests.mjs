/**
 * A rule for the linter: the expectations of a test depend neither on the machine's speed nor on chance. Real time
 * and CPU time are measured in `*.system.test.ts` and in `bench/`. Random values come from `createRandom` of
 * test/support/random.ts, whose seed a run prints. Fake time of `vi.useFakeTimers` may be read.
 */
const MEASURES = new Set([
  'performance.now',
  'process.hrtime',
  'process.hrtime.bigint',
  'process.cpuUsage',
  'process.threadCpuUsage',
  'process.resourceUsage',
])
/** Names of values that say how long something took. Times that a test computes have other names. */
const ELAPSED = /^(?:took|own|elapsed|duration|slowest|busiest|sinceBegin)Ms$|^elapsed$/
const UPPER_BOUNDS = new Set(['toBeLessThan', 'toBeLessThanOrEqual'])
const STOPWATCH = /\/stopwatch\.ts$/
const REAL_TIME =
  'This measures real time, which says how fast the machine is: move the clock, or measure in a *.system.test.ts or in bench/.'
const CHANCE = 'This value cannot be reproduced: use createRandom of test/support/random.ts.'

function nameOf(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.computed) return ''
  return `${nameOf(node.object)}.${node.property.name}`
}

/** Returns the last name of an expression: `durationMs` of `log[0]!.durationMs`, `tookMs` of `tookMs()`. */
function lastNameOf(node) {
  if (node.type === 'TSNonNullExpression' || node.type === 'ChainExpression') {
    return lastNameOf(node.expression)
  }
  if (node.type === 'CallExpression') return lastNameOf(node.callee)
  if (node.type === 'MemberExpression' && !node.computed) return node.property.name
  return node.type === 'Identifier' ? node.name : ''
}

/** Returns whether this is `expect(x).toBeLessThan(…)` of an elapsed time, also after `.not` or `.soft`. */
function boundsElapsed({ callee }) {
  if (callee.type !== 'MemberExpression' || !UPPER_BOUNDS.has(callee.property.name)) return false
  let expected = callee.object
  while (expected.type === 'MemberExpression') expected = expected.object
  const [value] = expected.type === 'CallExpression' ? expected.arguments : []
  return value !== undefined && ELAPSED.test(lastNameOf(value))
}

/** Returns whether this is `Date.now()`, or `new Date()` as a number. */
const isMachineTime = (node) =>
  (node.type === 'CallExpression' && nameOf(node.callee) === 'Date.now') ||
  (node.type === 'UnaryExpression' && node.operator === '+' && isNewDate(node.argument)) ||
  (node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    node.callee.property.name === 'getTime' &&
    isNewDate(node.callee.object))
const isNewDate = ({ type, callee, arguments: given }) =>
  type === 'NewExpression' && nameOf(callee) === 'Date' && given.length === 0

/**
 * Returns whether this subtracts a stored time from the machine's time. Setting a clock by the machine's time is no
 * measurement.
 */
const isElapsed = ({ operator, left, right }) =>
  operator === '-' && isMachineTime(left) && right.type !== 'CallExpression'

/** Returns the objects that a call of `vi.useFakeTimers` fakes: all of them, unless it names some. */
function fakedBy({ callee, arguments: [options] }) {
  if (nameOf(callee) !== 'vi.useFakeTimers') return []
  const named = options?.properties?.find(({ key }) => key?.name === 'toFake')
  return named ? named.value.elements.map(({ value }) => value) : ['Date', 'performance']
}

export const deterministicTests = {
  create(context) {
    /** Measurements of time, with the object that they read. */
    const measured = []
    const faked = new Set()
    return {
      CallExpression(node) {
        for (const what of fakedBy(node)) faked.add(what)
        const name = nameOf(node.callee)
        if (MEASURES.has(name)) measured.push({ node, of: name.split('.')[0] })
        if (boundsElapsed(node)) context.report({ node, message: REAL_TIME })
        if (name === 'Math.random') context.report({ node, message: CHANCE })
      },
      BinaryExpression(node) {
        if (isElapsed(node)) measured.push({ node, of: 'Date' })
      },
      ImportDeclaration(node) {
        if (STOPWATCH.test(node.source.value)) context.report({ node, message: REAL_TIME })
      },
      'Program:exit'() {
        for (const { node, of } of measured) {
          if (!faked.has(of)) context.report({ node, message: REAL_TIME })
        }
      },
    }
  },
}
