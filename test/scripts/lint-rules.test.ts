/** The project's own rules of the linter, as `npm run check` runs them: what they refuse, and what passes. */
import { describe, expect, test } from 'vitest'
import { plantFor } from '../support/planted-lines.ts'
import { systemTest } from '../support/system-tests.ts'
import { countTableStatements } from '../../scripts/table-allowance.ts'

type Rule = {
  rule: string
  files: string[]
  /** Lines of these files that are refused, each of them. */
  refused: string[]
  /** Files in which the same lines pass. */
  passesIn?: string[]
  /** Lines of the first file that pass. */
  fine: string[]
}

const RULES: Rule[] = [
  // A test never waits without end: a loop that awaits has a count.
  {
    rule: 'bounded-wait',
    files: ['test/planted.ts'],
    refused: [
      'while (!isDone()) await sleep()',
      'while (await isBusy()) look()',
      'do await look(); while (!isDone())',
      'for (;;) await look()',
      'for (let at = 0; at < 3; ) await look()',
      'for (let next = first; next; next = next.next) await look()',
    ],
    fine: [
      'for (let at = 0; at < 3; at += 1) await look()',
      'for (const one of all) await look(one)',
      'while (isOn()) step()',
      'while (isOn()) later(async () => await look())',
    ],
  },
  // Comments are sentences with a subject, in plain words, outside of folders that still have an allowance.
  {
    rule: 'doc-comment',
    files: ['src/core/planted.ts', 'bench/planted.ts'],
    refused: [
      '/** Of a run, its flow. */',
      '/** What a run has. */',
      '/** A run without an end */',
      '// The run hangs on the lock.',
      'const a = 1 // The run is begun anew.',
    ],
    fine: ['/** A run of a flow. */', '// The lease has ended.', 'const text = "Nobody"'],
  },
  // No test depends on the speed of the machine or on chance, but for those of the system tier.
  {
    rule: 'deterministic-tests',
    files: ['test/planted.test.ts', 'test/rules/planted.unit.test.ts', 'test/support/planted.ts'],
    refused: [
      'began = performance.now()',
      'began = process.hrtime()',
      'began = process.hrtime.bigint()',
      'used = process.cpuUsage()',
      'used = process.threadCpuUsage(used)',
      "import { startStopwatch } from '../support/stopwatch.ts'",
      'expect(tookMs).toBeLessThan(1_000)',
      'expect(tookMs()).not.toBeLessThanOrEqual(1_000)',
      'expect.soft(calls[0]!.durationMs).toBeLessThan(1_000)',
      'expect(Date.now() - began).toBeGreaterThan(400)',
      'spent = new Date().getTime() - began',
      'chosen = all[Math.floor(Math.random() * all.length)]',
    ],
    passesIn: ['test/planted.system.test.ts'],
    fine: [
      'expect(statements).toBeLessThan(10)',
      'expect(dueInMs).toBeLessThan(60_000)',
      'expect(tookMs).toBeGreaterThan(480)',
      'const ahead = new Date(Date.now() + 60_000)',
      'const passed = world.clock.now().getTime() - began',
      'world.clock.advance(Date.now() - world.clock.now().getTime())',
      "const random = createRandom('names')",
      "vi.spyOn(performance, 'now').mockReturnValue(0)",
      "vi.spyOn(Math, 'random').mockReturnValue(1)",
    ],
  },
  // The bound of a schema is a number of `limits/`.
  {
    rule: 'bounds-in-limits',
    files: ['src/contract/planted.ts', 'src/flow-kinds/steps/planted.ts'],
    refused: ['const name = z.string().max(4_096)', 'const status = z.int().min(100).optional()'],
    passesIn: ['src/core/limits/planted.ts'],
    fine: [
      'const name = z.string().max(FLOW_LIMITS.textChars)',
      'const name = z.string().min(1)',
      'const most = Math.max(count, 100)',
    ],
  },
  // Texts of the dashboard belong in its dictionaries.
  {
    rule: 'loose-text',
    files: ['src/dashboard/home/Planted.tsx'],
    refused: [
      'export const A = () => <p>Hello</p>',
      "export const B = () => <p>{'Hello'}</p>",
      'export const C = () => <p>{`Hello ${name}`}</p>',
      'export const D = () => <>مرحبا</>',
      'export const E = () => <input aria-label="Search" />',
      "export const F = () => <input placeholder={'Search'} />",
      'export const G = () => <Panel title={`Today ${day}`} />',
    ],
    fine: [
      "export const A = () => <p>{t('hello')}</p>",
      'export const B = () => <Kbd>Ctrl K</Kbd>',
      'export const C = () => <Ltr>evt_1</Ltr>',
      'export const D = () => <p> · {name}</p>',
      'export const E = () => <input type="text" dir="ltr" />',
    ],
  },
  // A test names no tables: that is for test/support and the service.
  {
    rule: 'no-tables-in-tests',
    files: ['test/planted.test.ts', 'test/rules/planted.unit.test.ts'],
    refused: [
      "await db.kysely.selectFrom('message').selectAll().execute()",
      "await kysely().insertInto('contact').values(row).execute()",
      "await tx.updateTable('channel').set({ name }).execute()",
      "await world.database.db.kysely.deleteFrom('audit').execute()",
      "await world.database.db.pool.query('select 1 from event')",
      'await client.query(`begin`)',
      'await pool.query(text, values)',
      'await sql`select 1 from event`.execute(kysely)',
      'await sql<{ n: number }>`select 1 as n`.execute(kysely)',
    ],
    passesIn: ['test/support/planted.ts', 'src/modules/inbox/planted.ts'],
    fine: [
      "await owner.ask('GET', '/conversations')",
      'await messagesOf(world, { conversationId })',
      'page.query(selector)',
      'const text = `select one`',
    ],
  },
  // Only flow-kinds/steps and tests ask for kinds of steps; moves, triggers and contents have other kinds.
  {
    rule: 'step-kinds',
    files: ['src/modules/flows/runs/planted.ts', 'src/contract/planted.ts'],
    refused: [
      "export const a = step.kind === 'wait_for_reply'",
      "export const b = step?.kind !== 'end'",
      "export const c = flow.steps[id]!.kind === 'end'",
      "export const d = stepOf(flow, id).kind === 'end'",
      "export const e = Object.values(flow.steps).some(({ kind }) => kind === 'http_request')",
      "export const f = 'send_template' === one.kind",
      'export const g = SENDING.includes(next.step.kind)',
      "export const h = (stepKind) => stepKind === 'end'",
      'switch (step.kind) { default: }',
      "switch (kind) { case 'condition': break; default: }",
    ],
    passesIn: ['src/flow-kinds/steps/planted.ts', 'test/flows/planted.test.ts'],
    fine: [
      "export const a = next.kind === 'end' || next.kind === 'wait' || next.kind === 'call'",
      "export const b = flow.trigger.kind === 'webhook'",
      "export const c = content.kind === 'template'",
      'export const d = { kind: step.kind }',
      "export const e = designOf(step).sends === 'message'",
      'switch (next.kind) { case "end": break; default: }',
    ],
  },
]

describe.each(RULES)('The rule $rule', ({ rule, files, refused, passesIn = [], fine }) => {
  const refusedLines = plantFor(rule)

  test.each(files)('refuses each line in %s', (file) => {
    expect(refusedLines(file, refused)).toEqual(refused.map((_, at) => at + 1))
  })

  systemTest.each([
    ...passesIn.map((file) => ({ file, what: 'the same lines', lines: refused })),
    { file: files[0]!, what: 'what is fine', lines: fine },
  ])('lets $what pass in $file', ({ file, lines }) => {
    expect(refusedLines(file, lines)).toEqual([])
  })
})

const refusedLines = plantFor('deterministic-tests')
systemTest('time that the test moves itself may be read', () => {
  const read = ['const began = performance.now()', 'const passed = Date.now() - began']
  const all = ['vi.useFakeTimers()', ...read]
  const dateAlone = ["vi.useFakeTimers({ toFake: ['Date'] })", ...read]
  expect(refusedLines('test/planted.test.ts', all)).toEqual([])
  expect(refusedLines('test/planted.test.ts', dateAlone)).toEqual([2])
})

test('statements that name tables are counted for the allowance as the rule counts them', () => {
  const { refused } = RULES.find(({ rule }) => rule === 'no-tables-in-tests')!
  expect(countTableStatements('planted.test.ts', refused.join('\n'))).toBe(refused.length)
})
