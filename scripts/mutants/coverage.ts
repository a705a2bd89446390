/**
 * Coverage by test file. Each block and branch of a copy of the source gets a probe; every test file runs once, and
 * the probes that it reached are stored. A piece of code counts as reached when the innermost probe around it is; the
 * top level of a file counts as reached by every test that reaches one of its probes.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Runner } from './runner.ts'
import { walk, type Node, type Source } from './walk.ts'

/** A block or expression of a source, by its offsets, that reports when it is executed. */
type Probe = { start: number; end: number; isBlock: boolean }

/** Coverage by test file: the hash of its text, its duration, and for each source the hash and the reached probes. */
type Reach = Record<
  string,
  {
    hash: string
    ms: number
    passed: boolean
    of: Record<string, { hash: string; probes: number[] }>
  }
>

/** Returns a short hash of a text. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

function findProbes(source: Source): Probe[] {
  const probes: Probe[] = []
  walk(source.tree, (node, parents) => {
    const parent = parents.at(-1)
    if (node.type === 'BlockStatement') {
      probes.push({ start: node.start + 1, end: node.end, isBlock: true })
    } else if (
      (parent?.type === 'ArrowFunctionExpression' && parent.body === node) ||
      (parent?.type === 'ConditionalExpression' && parent.test !== node)
    ) {
      probes.push({ start: node.start, end: node.end, isBlock: false })
    } else if (
      ['ExpressionStatement', 'ReturnStatement', 'ThrowStatement'].includes(node.type) &&
      parent?.type === 'IfStatement'
    ) {
      probes.push({ start: node.start, end: node.end, isBlock: false })
    }
  })
  return probes
}

function putProbes(source: Source, probes: Probe[], first: number): string {
  const statements = new Set<number>()
  walk(source.tree, ({ type, start }: Node) => {
    if (type === 'ExpressionStatement' || type === 'ReturnStatement' || type === 'ThrowStatement') {
      statements.add(start)
    }
  })
  const parts: { at: number; text: string; order: number }[] = []
  for (const [nth, { start, end, isBlock }] of probes.entries()) {
    const call = `globalThis.reachedProbe?.(${first + nth})`
    if (isBlock) parts.push({ at: start, text: `${call};`, order: 0 })
    else if (statements.has(start)) {
      parts.push(
        { at: start, text: `{${call};`, order: -end },
        { at: end, text: '}', order: -start },
      )
    } else {
      parts.push(
        { at: start, text: `(${call}, `, order: -end },
        { at: end, text: ')', order: -start },
      )
    }
  }
  let text = source.text
  for (const part of parts.toSorted((a, b) => b.at - a.at || b.order - a.order)) {
    text = text.slice(0, part.at) + part.text + text.slice(part.at)
  }
  return text
}

/**
 * Runs the test files that are new, have changed or failed before, and stores in `file` which parts of the sources each
 * executes. Each runner runs one test file at a time. It stops when `isOver` returns true. Returns how many test files
 * are left.
 */
export async function measureReach(
  file: string,
  sources: Source[],
  tests: { file: string; text: string }[],
  openRunners: () => Runner[],
  isOver: () => boolean,
  say: (line: string) => void,
): Promise<number> {
  const reach = readReach(file)
  const names = new Set(tests.map((test) => test.file))
  for (const known of Object.keys(reach)) if (!names.has(known)) delete reach[known]
  // A test that failed without a mutant is repeated, because the machine may have been busy.
  const left = tests.filter(
    ({ file: test, text }) => reach[test]?.hash !== hashOf(text) || !reach[test].passed,
  )
  if (left.length === 0) return 0
  const runners = openRunners()
  const firsts: { source: Source; first: number; count: number }[] = []
  let first = 0
  for (const source of sources) {
    const probes = findProbes(source)
    const text = putProbes(source, probes, first)
    for (const runner of runners) runner.write(source.file, text)
    firsts.push({ source, first, count: probes.length })
    first += probes.length
  }

  async function runTests(runner: Runner): Promise<void> {
    while (!isOver()) {
      const test = left.shift()
      if (test === undefined) return
      const answer = await runner.run({ change: null, tests: [test.file] }, 240_000)
      const noted = path.join(runner.root, '.reach', `${test.file.replaceAll('/', '~')}.json`)
      const passed = answer !== 'timed_out' && answer.failed === null
      const hits = existsSync(noted) ? (JSON.parse(readFileSync(noted, 'utf8')) as number[]) : []
      const of: Reach[string]['of'] = {}
      for (const { source, first: from, count } of firsts) {
        const probes = hits.filter((hit) => hit >= from && hit < from + count)
        if (probes.length > 0) {
          const numbers = probes.map((hit) => hit - from).toSorted((a, b) => a - b)
          of[source.file] = { hash: hashOf(source.text), probes: numbers }
        }
      }
      const ms = answer === 'timed_out' ? 240_000 : answer.ms
      reach[test.file] = { hash: hashOf(test.text), ms, passed, of }
      writeFileSync(file, JSON.stringify(reach))
      say(`${test.file}: ${ms} ms${passed ? '' : ', FAILED, left out'}`)
    }
  }

  try {
    await Promise.all(runners.map(runTests))
  } finally {
    await Promise.all(runners.map((runner) => runner.close()))
  }
  return left.length
}

/** Reads the stored map of which test files execute which parts of the sources; empty if there is none. */
export function readReach(file: string): Reach {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Reach) : {}
}

/** Returns a function that finds the test files which execute a part of a source, with the duration of each. */
export function createTestFinder(
  reach: Reach,
  source: Source,
): (start: number, end: number) => { file: string; ms: number }[] {
  const probes = findProbes(source)
  const hash = hashOf(source.text)
  const by = Object.entries(reach)
    .filter(([, { passed, of }]) => passed && of[source.file] !== undefined)
    .map(([file, { ms, of }]) => ({ file, ms, of: of[source.file] }))
  return (start, end) => {
    let innermost = -1
    for (const [nth, probe] of probes.entries()) {
      const isAround = probe.start <= start && end <= probe.end
      const best = probes[innermost]
      if (isAround && (best === undefined || probe.end - probe.start <= best.end - best.start)) {
        innermost = nth
      }
    }
    return by.filter(
      ({ of }) => innermost < 0 || of?.hash !== hash || of.probes.includes(innermost),
    )
  }
}
