/**
 * A rule for the linter: what a test expects depends neither on the speed of the machine nor on chance. Real time
 * and the processor's time are measured in `*.system.test.ts` and in `bench/`; random values come from
 * `createRandom` of test/support/random.ts, which follows from the seed that a run prints.
 */
const MEASURES = new Set([
  'performance.now',
  'process.hrtime',
  'process.hrtime.bigint',
  'process.cpuUsage',
])
const STOPWATCH = /\/stopwatch\.ts$/
const REAL_TIME =
  'This measures real time, which says how fast the machine is: move the clock, or measure in a *.system.test.ts or in bench/.'
const CHANCE = 'This cannot be had again: use createRandom of test/support/random.ts.'

function nameOf(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.computed) return ''
  return `${nameOf(node.object)}.${node.property.name}`
}

export const deterministicTests = {
  create(context) {
    return {
      CallExpression(node) {
        const name = nameOf(node.callee)
        if (MEASURES.has(name)) context.report({ node, message: REAL_TIME })
        if (name === 'Math.random') context.report({ node, message: CHANCE })
      },
      ImportDeclaration(node) {
        if (STOPWATCH.test(node.source.value)) context.report({ node, message: REAL_TIME })
      },
    }
  },
}
